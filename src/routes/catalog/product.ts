import { ProductDetail } from '../../contract/catalog/product.ts'
import { createNotFound, Problem } from '../../errors.ts'
import { type ApiRequest, type ApiResponse, defineRoute } from '../../http/route.ts'
import type { Product } from '../../ports/inventory.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { columnSection, optional, required, valueSection } from '../../sections/section.ts'
import type { LoadResult } from '../../upstream/read-stack/cached-loader.ts'
import type { RequestScope } from '../../upstream/request/request-scope.ts'
import { isValidSku, SkuParams } from '../valid-upstream-ids.ts'
import { hasTexts, joinProductPage, PAGE_SECTIONS, traceMirrored } from './join-product-json.ts'
import { readReferences, toReferenceMembers } from './product-reference-sections.ts'
import { mediaSection } from './product-row-sections.ts'
import { toProductListItem } from './to-product-list-item.ts'

export const getProductRoute = defineRoute({
  method: 'GET',
  path: '/v1/products/:sku',
  operationId: 'getProduct',
  summary: 'Get a product',
  tag: 'Catalog',
  scope: 'storefront:catalog',
  input: { params: SkuParams },
  response: ProductDetail,
  caching: 'catalog',
  sections: {
    required: ['product'],
    optional: ['price', 'tax', 'availability', 'media', 'references', 'alternatives'],
  },
  async handle({ params: { sku }, backOffice, customerId, merchant, requestScope }) {
    if (!isValidSku(sku)) throw createNotFound('product')
    const texts = readPageTexts(sku, { backOffice, customerId, merchant, requestScope })
    if (texts) return texts
    const products = backOffice.products([sku], requestScope)
    const numbers = readReferences(sku, { backOffice, customerId, currency: merchant.currency, requestScope })
    const { values, errors, traces } = await fanOut(requestScope, {
      product: required(products.then(([result]) => valueSection(requireOffered(sku, result!, requestScope)))),
      price: optional(backOffice.prices([sku], customerId, requestScope).then(columnSection)),
      tax: optional(backOffice.taxes([sku], customerId, requestScope).then(columnSection)),
      availability: optional(backOffice.availability([sku], requestScope).then(columnSection)),
      media: optional(products.then(([result]) => mediaSection([result!.value]))),
    })
    const { price, tax, availability } = values
    const product = values.product!
    const item = toProductListItem(
      product,
      price[0] ?? null,
      tax[0] ?? null,
      availability[0] ?? null,
      merchant.currency,
    )
    const { sku: _, name, slug, ...rest } = item
    const { description, order_uoms } = product
    const { members, ...other } = await numbers
    const allErrors = [...errors, ...other.errors]
    return {
      body: { sku, name, slug, description, ...rest, order_uoms, ...members, errors: allErrors },
      errors: allErrors,
      traces: [...traces, ...other.traces],
    }
  },
})

/** Joins the page of a product for an anonymous caller from the mirror's texts; `null`: its sections must be read. */
function readPageTexts(
  sku: string,
  request: Pick<ApiRequest, 'backOffice' | 'customerId' | 'merchant' | 'requestScope'>,
): ApiResponse | null {
  const { backOffice, merchant, requestScope } = request
  const startedAt = performance.now()
  const found = hasTexts(request) ? backOffice.mirror.text(sku, requestScope) : null
  if (!found || found.references.related.length > 0) return null
  const members = { ...toReferenceMembers(found.references), alternatives: [], errors: [] }
  return {
    body: `${joinProductPage(found.product, merchant.currency)},${JSON.stringify(members).slice(1)}`,
    errors: [],
    traces: traceMirrored(PAGE_SECTIONS, startedAt),
  }
}

/** Throws `not_found` for a product that does not exist or is withdrawn, and abandons its other sections. */
function requireOffered(sku: string, result: LoadResult<Product>, requestScope: RequestScope): LoadResult<Product> {
  const isUnread = result.error && result.error.failure !== 'not_configured'
  if (result.value ? result.value.active : isUnread) return result
  requestScope.leave()
  throw sku.toLowerCase() === 'search' ? new Problem('not_found', SEARCH_DETAIL) : createNotFound('product')
}

/** Other shop APIs search below their products. */
const SEARCH_DETAIL = 'There is no product with the SKU search. To search products, send GET /v1/products?q={text}.'
