import Type from 'typebox'
import { toPagination } from '../../contract/common-schemas.ts'
import { ProductList } from '../../contract/product.ts'
import { defineRoute } from '../../http/route.ts'
import type { Product, ProductQuery, SkuListener } from '../../ports/inventory.ts'
import { columnSection, fanOut, optional, required, valueSection } from '../../sections/section.ts'
import type { BackOffice } from '../../upstream/back-office.ts'
import type { LoadResult } from '../../upstream/cached-loader.ts'
import type { SkuPage } from '../../upstream/item-reader.ts'
import type { RequestScope } from '../../upstream/request-scope.ts'
import { clampOffset, isValidVehicleId } from '../vehicles/vehicle-products.ts'
import { availabilitySection, mediaSection, priceSections, toProductListItem } from './product-view.ts'
import { memoizeSkuSections } from './sku-sections.ts'

const NONE: SkuPage = { skus: [], newest: 0, total: 0, has_more: false }
/** No word of anything: some systems would take it for no search at all. */
const UNWRITTEN = /^[\p{Cc}\s]+$/u
const UNKNOWN: SkuPage = { ...NONE, total: null }

export const listProductsRoute = defineRoute({
  method: 'GET',
  path: '/v1/products',
  operationId: 'listProducts',
  summary: 'A page of the catalog',
  tag: 'Catalog',
  scope: 'storefront:catalog',
  input: {
    query: Type.Object({
      q: Type.Optional(
        Type.String({ maxLength: 256, description: 'Words over sku, name, brand, mpn, barcode and description' }),
      ),
      category: Type.Optional(
        Type.String({ maxLength: 128, description: 'A category_id or slug; its descendants count' }),
      ),
      tag: Type.Optional(Type.String({ maxLength: 128 })),
      vehicle_id: Type.Optional(Type.Integer()),
      updated_since: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'Changed at that instant or later, oldest change first; withdrawn products come too',
        }),
      ),
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
      offset: Type.Integer({ minimum: 0, default: 0 }),
    }),
  },
  response: ProductList,
  caching: 'catalog',
  sections: { required: ['data'], optional: ['price', 'tax', 'availability', 'media'] },
  async answer({ query, backOffice, customerId, merchant, requestScope }) {
    const withdrawn = query.updated_since !== undefined
    const amounts = memoizeSkuSections((skus) => priceSections(backOffice, skus, customerId, requestScope))
    const stock = memoizeSkuSections((skus) => availabilitySection(backOffice, skus, requestScope))
    // What was withdrawn is not asked about; where none of it comes, all is asked for as soon as the SKUs are known.
    const coming = withdrawn ? undefined : (skus: readonly string[]) => void amounts(skus)
    const search = searched(query as ProductQuery, backOffice, requestScope, coming)
    const found = await fanOut(requestScope, { data: required(search.then(valueSection)) })
    const page = found.values.data ?? UNKNOWN
    if (!withdrawn) for (const begin of [amounts, stock]) begin(page.skus)
    const rows = await fanOut(requestScope, {
      data: required(backOffice.products(page.skus, requestScope).then(columnSection)),
    })
    const shown = (product: Product | null) => product !== null && (product.active || withdrawn)
    const listed = rows.values.data.filter(shown) as Product[]
    const active = listed.filter((product) => product.active).map((product) => product.sku)
    const [asked, shelved] = [amounts(active), stock(active)]
    const beside = await fanOut(requestScope, {
      ...asked.sections,
      ...shelved.sections,
      media: optional(mediaSection(listed)),
    })
    const { price, tax, availability } = beside.values
    const data = listed.map((product) => {
      const { sku, active, updated_at } = product
      if (!active) return { sku, active, updated_at }
      const [at, on] = [asked.at.get(sku)!, shelved.at.get(sku)!]
      return toProductListItem(product, price[at] ?? null, tax[at] ?? null, availability[on] ?? null, merchant.currency)
    })
    const gaps = found.errors.length > 0 ? found.errors : rows.errors
    const errors = [...gaps, ...beside.errors]
    const newest = gaps.length > 0 ? 0 : page.newest
    return {
      body: {
        data,
        pagination: toPagination(query, data.length, page.total, page.has_more),
        ...(query.updated_since !== undefined && {
          sync: { watermark: watermark(newest, query.updated_since, backOffice.watermarkOverlapSeconds) },
        }),
        errors,
      },
      errors,
      traces: [...found.traces, ...rows.traces, ...beside.traces],
    }
  },
})

function searched(
  query: ProductQuery,
  backOffice: BackOffice,
  requestScope: RequestScope,
  coming: SkuListener | undefined,
): Promise<LoadResult<SkuPage>> {
  const impossible = query.vehicle_id !== undefined && !isValidVehicleId(query.vehicle_id)
  if (impossible || UNWRITTEN.test(query.q?.trim() ?? '')) {
    return Promise.resolve({ value: NONE, error: null, asOf: 0 })
  }
  return backOffice.search(clampOffset(query), requestScope, coming)
}

/**
 * Where the next sync may begin: the newest change on this page as the page was read (a row may have been refreshed since, past changes
 * of others that the page does not have), stepped back by what a back office may make visible late, in whole seconds, and never before
 * this call's own instant. A page with gaps moves nothing on. So a sync never loses a change.
 */
function watermark(newest: number, since: string, overlapSeconds: number): string {
  const back = Math.floor(newest / 1_000 - overlapSeconds) * 1_000
  return back > Date.parse(since) ? new Date(back).toISOString().replace('.000Z', 'Z') : since
}
