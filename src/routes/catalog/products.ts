import Type from 'typebox'
import { toPagination } from '../../contract/pagination.ts'
import { ProductList } from '../../contract/product.ts'
import { defineRoute } from '../../http/route.ts'
import type { Product, ProductQuery, SkuListener } from '../../ports/inventory.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { columnSection, optional, required, valueSection } from '../../sections/section.ts'
import type { BackOffice } from '../../upstream/back-office.ts'
import type { LoadResult } from '../../upstream/cached-loader.ts'
import type { SkuPage } from '../../upstream/item-store.ts'
import type { RequestScope } from '../../upstream/request-scope.ts'
import { clampOffset } from '../pagination.ts'
import { isValidVehicleId } from '../upstream-ids.ts'
import { availabilitySection, mediaSection, priceSections, toProductListItem } from './product-view.ts'
import { memoizeSkuSections } from './sku-sections.ts'

const EMPTY_PAGE: SkuPage = { skus: [], newest: 0, total: 0, has_more: false }
/** A search text without a word, which some systems would treat as no search. */
const BLANK_TEXT = /^[\p{Cc}\s]+$/u
const UNREAD_PAGE: SkuPage = { ...EMPTY_PAGE, total: null }

export const listProductsRoute = defineRoute({
  method: 'GET',
  path: '/v1/products',
  operationId: 'listProducts',
  summary: 'List products',
  tag: 'Catalog',
  scope: 'storefront:catalog',
  input: {
    query: Type.Object({
      q: Type.Optional(
        Type.String({ maxLength: 256, description: 'Searches sku, name, brand, mpn, barcode and description' }),
      ),
      category: Type.Optional(
        Type.String({ maxLength: 128, description: 'A category_id or slug, including its descendants' }),
      ),
      tag: Type.Optional(Type.String({ maxLength: 128 })),
      vehicle_id: Type.Optional(Type.Integer()),
      updated_since: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'Changed at or after this time, oldest change first; includes withdrawn products',
        }),
      ),
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
      offset: Type.Integer({ minimum: 0, default: 0 }),
    }),
  },
  response: ProductList,
  caching: 'catalog',
  sections: { required: ['data'], optional: ['price', 'tax', 'availability', 'media'] },
  async handle({ query, backOffice, customerId, merchant, requestScope }) {
    const includesWithdrawn = query.updated_since !== undefined
    const loadPrices = memoizeSkuSections((skus) => priceSections(backOffice, skus, customerId, requestScope))
    const loadAvailability = memoizeSkuSections((skus) => availabilitySection(backOffice, skus, requestScope))
    // Withdrawn products have no price. Without them, prices are loaded as soon as the search returns SKUs.
    const onSkus = includesWithdrawn ? undefined : (skus: readonly string[]) => void loadPrices(skus)
    const search = searchProducts(query as ProductQuery, backOffice, requestScope, onSkus)
    const found = await fanOut(requestScope, { data: required(search.then(valueSection)) })
    const page = found.values.data ?? UNREAD_PAGE
    if (!includesWithdrawn) for (const load of [loadPrices, loadAvailability]) load(page.skus)
    const rows = await fanOut(requestScope, {
      data: required(backOffice.products(page.skus, requestScope).then(columnSection)),
    })
    const isListed = (product: Product | null) => product !== null && (product.active || includesWithdrawn)
    const listed = rows.values.data.filter(isListed) as Product[]
    const active = listed.filter((product) => product.active).map((product) => product.sku)
    const [prices, stock] = [loadPrices(active), loadAvailability(active)]
    const details = await fanOut(requestScope, {
      ...prices.sections,
      ...stock.sections,
      media: optional(mediaSection(listed)),
    })
    const { price, tax, availability } = details.values
    const data = listed.map((product) => {
      if (!product.active) return toInactiveProduct(product)
      const priceRow = prices.rowOf.get(product.sku)!
      const band = availability[stock.rowOf.get(product.sku)!] ?? null
      return toProductListItem(product, price[priceRow] ?? null, tax[priceRow] ?? null, band, merchant.currency)
    })
    const gaps = found.errors.length > 0 ? found.errors : rows.errors
    const errors = [...gaps, ...details.errors]
    const newest = gaps.length > 0 ? 0 : page.newest
    return {
      body: {
        data,
        pagination: toPagination(query, data.length, page.total, page.has_more),
        ...(query.updated_since !== undefined && {
          sync: { watermark: toWatermark(newest, query.updated_since, backOffice.watermarkOverlapSeconds) },
        }),
        errors,
      },
      errors,
      traces: [...found.traces, ...rows.traces, ...details.traces],
    }
  },
})

const toInactiveProduct = ({ sku, active, updated_at }: Product) => ({ sku, active, updated_at })

function searchProducts(
  query: ProductQuery,
  backOffice: BackOffice,
  requestScope: RequestScope,
  onSkus: SkuListener | undefined,
): Promise<LoadResult<SkuPage>> {
  const isImpossible = query.vehicle_id !== undefined && !isValidVehicleId(query.vehicle_id)
  if (isImpossible || BLANK_TEXT.test(query.q?.trim() ?? '')) {
    return Promise.resolve({ value: EMPTY_PAGE, error: null, asOf: 0 })
  }
  return backOffice.search(clampOffset(query), requestScope, onSkus)
}

/**
 * Returns where the next sync may begin, so that it misses no change: the newest change on this page at the time the page was read,
 * minus the time by which a back office may make changes visible late, in whole seconds, and never before this call's own
 * `updated_since`. A page with gaps (`newest` 0) does not move it. A row that was refreshed since is ignored: it may be newer than
 * changes that this page does not have.
 */
function toWatermark(newest: number, since: string, overlapSeconds: number): string {
  const back = Math.floor(newest / 1_000 - overlapSeconds) * 1_000
  return back > Date.parse(since) ? new Date(back).toISOString().replace('.000Z', 'Z') : since
}
