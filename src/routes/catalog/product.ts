import Type from 'typebox'
import { ProductDetail } from '../../contract/product.ts'
import { Problem } from '../../errors.ts'
import type { Product } from '../../ports/inventory.ts'
import { column, fanOut, one, optional, required } from '../../sections/section.ts'
import type { Asking } from '../../upstream/request-scope.ts'
import type { Filled } from '../../upstream/cached-loader.ts'
import { listItem, mediaSection } from './product-view.ts'
import { route } from '../../http/route.ts'

export const SkuParams = Type.Object({ sku: Type.String() })

/**
 * What no back office has for a SKU is answered as unknown, and not asked for: a system that refuses it would refuse the
 * SKUs of all who share the question. Dots alone would be steps in a path.
 */
export const mayBeSku = (sku: string): boolean => sku.length >= 1 && sku.length <= 128 && sku !== '.' && sku !== '..'

export const product = route({
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
  async answer({ params: { sku }, office, customerId, merchant, asking }) {
    if (!mayBeSku(sku)) throw new Problem('not_found')
    const found = office.products([sku], asking)
    const { values, errors, traces } = await fanOut(asking, {
      product: required(found.then(([filled]) => one(offered(filled!, asking)))),
      price: optional(office.prices([sku], customerId, asking).then(column)),
      tax: optional(office.taxes([sku], customerId, asking).then(column)),
      availability: optional(office.availability([sku], asking).then(column)),
      media: optional(found.then(([filled]) => mediaSection([filled!.value]))),
    })
    const { price, tax, availability } = values
    const shown = values.product!
    const item = listItem(shown, price[0] ?? null, tax[0] ?? null, availability[0] ?? null, merchant.currency)
    const { sku: _, name, slug, ...rest } = item
    const { description, order_uoms } = shown
    return { body: { sku, name, slug, description, ...rest, order_uoms, errors }, errors, traces }
  },
})

/** What is not there, or withdrawn, is not waited for: its other sections are given up at once. */
function offered(filled: Filled<Product>, asking: Asking): Filled<Product> {
  const unread = filled.error && filled.error.failure !== 'not_configured'
  if (filled.value ? filled.value.active : unread) return filled
  asking.leave()
  throw new Problem('not_found')
}
