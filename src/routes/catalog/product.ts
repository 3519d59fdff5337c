import Type from 'typebox'
import { ProductDetail } from '../../contract/product.ts'
import { Problem } from '../../errors.ts'
import { defineRoute } from '../../http/route.ts'
import type { Product } from '../../ports/inventory.ts'
import { columnSection, fanOut, optional, required, valueSection } from '../../sections/section.ts'
import type { LoadResult } from '../../upstream/cached-loader.ts'
import type { RequestScope } from '../../upstream/request-scope.ts'
import { mediaSection, toProductListItem } from './product-view.ts'

export const SkuParams = Type.Object({ sku: Type.String() })

/**
 * What no back office has for a SKU is answered as unknown, and not asked for: a system that refuses it would refuse the
 * SKUs of all who share the question. Dots alone would be steps in a path.
 */
export const isValidSku = (sku: string): boolean => sku.length >= 1 && sku.length <= 128 && sku !== '.' && sku !== '..'

export const getProductRoute = defineRoute({
  method: 'GET',
  path: '/v1/products/:sku',
  operationId: 'getProduct',
  summary: 'One product, whole',
  tag: 'Catalog',
  scope: 'storefront:catalog',
  input: { params: SkuParams },
  response: ProductDetail,
  caching: 'catalog',
  sections: { required: ['product'], optional: ['price', 'tax', 'availability', 'media'] },
  async answer({ params: { sku }, backOffice, customerId, merchant, requestScope }) {
    if (!isValidSku(sku)) throw new Problem('not_found')
    const found = backOffice.products([sku], requestScope)
    const { values, errors, traces } = await fanOut(requestScope, {
      product: required(found.then(([filled]) => valueSection(offered(filled!, requestScope)))),
      price: optional(backOffice.prices([sku], customerId, requestScope).then(columnSection)),
      tax: optional(backOffice.taxes([sku], customerId, requestScope).then(columnSection)),
      availability: optional(backOffice.availability([sku], requestScope).then(columnSection)),
      media: optional(found.then(([filled]) => mediaSection([filled!.value]))),
    })
    const { price, tax, availability } = values
    const shown = values.product!
    const item = toProductListItem(shown, price[0] ?? null, tax[0] ?? null, availability[0] ?? null, merchant.currency)
    const { sku: _, name, slug, ...rest } = item
    const { description, order_uoms } = shown
    return { body: { sku, name, slug, description, ...rest, order_uoms, errors }, errors, traces }
  },
})

/** What is not there, or withdrawn, is not waited for: its other sections are given up at once. */
function offered(filled: LoadResult<Product>, requestScope: RequestScope): LoadResult<Product> {
  const unread = filled.error && filled.error.failure !== 'not_configured'
  if (filled.value ? filled.value.active : unread) return filled
  requestScope.leave()
  throw new Problem('not_found')
}
