import Type from 'typebox'
import { LookupResult } from '../../contract/catalog/number-lookup.ts'
import { defineRoute } from '../../http/route.ts'
import { normalizeNumber } from '../../ports/normalize-number.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { optional, valueSection } from '../../sections/section.ts'
import { findByNumber } from './find-by-number.ts'
import { mediaSection, priceAndAvailabilitySections } from './product-row-sections.ts'
import { toProductListItem } from './to-product-list-item.ts'

const NO_NUMBER = { body: { data: [], errors: [] }, errors: [], traces: [] }

export const lookUpNumberRoute = defineRoute({
  method: 'GET',
  path: '/v1/lookup',
  operationId: 'lookUpNumber',
  summary: 'Find products by any of their numbers',
  tag: 'Catalog',
  scope: 'storefront:catalog',
  input: {
    query: Type.Object({
      number: Type.String({
        minLength: 1,
        maxLength: 128,
        description:
          "A SKU, a manufacturer's number, a barcode, an OEM, cross-reference or superseded number, or the shopper's own; punctuation and case do not matter",
      }),
    }),
  },
  response: LookupResult,
  caching: 'catalog',
  sections: { required: ['data'], optional: ['references', 'price', 'tax', 'availability', 'media'] },
  async handle({ query: { number }, backOffice, customerId, merchant, requestScope }) {
    const key = normalizeNumber(number)
    if (key === '') return NO_NUMBER
    const stored = await fanOut(requestScope, {
      references: optional(backOffice.productsByNumber(key, customerId, requestScope).then(valueSection)),
    })
    const matches = stored.values.references ?? []
    const { found, ...rows } = await findByNumber({ number: number.trim(), matches, backOffice, requestScope })
    const products = found.map(({ product }) => product)
    const skus = products.map(({ sku }) => sku)
    const details = await fanOut(requestScope, {
      ...priceAndAvailabilitySections(backOffice, skus, customerId, requestScope),
      media: optional(mediaSection(products)),
    })
    const { price, tax, availability } = details.values
    const data = found.map(({ product, match }, at) => ({
      ...toProductListItem(product, price[at] ?? null, tax[at] ?? null, availability[at] ?? null, merchant.currency),
      match,
    }))
    const errors = [...rows.errors, ...stored.errors, ...details.errors]
    return {
      body: { data, errors },
      errors,
      traces: [...stored.traces, ...rows.traces, ...details.traces],
    }
  },
})
