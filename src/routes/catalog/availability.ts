import { daysBetween } from '../../calendar/days-between.ts'
import { type StockAvailability, summarizeAvailability } from '../../catalog/availability-bands.ts'
import { Availability, AvailabilityBatch, AvailabilityBatchIn } from '../../contract/catalog/availability.ts'
import { createNotFound } from '../../errors.ts'
import { defineRoute } from '../../http/route.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { columnSection, optional, required } from '../../sections/section.ts'
import type { LoadResult } from '../../upstream/read-stack/cached-loader.ts'
import { isValidSku, SkuParams } from '../valid-upstream-ids.ts'

export const getAvailabilityRoute = defineRoute({
  method: 'GET',
  path: '/v1/products/:sku/availability',
  operationId: 'getAvailability',
  summary: 'Get the availability of a product',
  tag: 'Availability',
  scope: 'storefront:catalog',
  input: { params: SkuParams },
  response: Availability,
  caching: 'availability',
  sections: { required: ['product', 'band'], optional: [] },
  async handle({ params: { sku }, backOffice, requestScope }) {
    if (!isValidSku(sku)) throw createNotFound('product')
    const bands = backOffice.availability([sku], requestScope)
    const { values, errors, traces } = await fanOut(requestScope, {
      product: required(backOffice.products([sku], requestScope).then(columnSection)),
      band: required(bands.then(columnSection)),
    })
    if (!values.product[0]?.active) throw createNotFound('product')
    const row = toAvailabilityRow(sku, (await bands)[0]!, backOffice.today())
    return { body: { ...row, errors }, errors, traces }
  },
})

export const getAvailabilityBatchRoute = defineRoute({
  method: 'POST',
  path: '/v1/availability/batch',
  operationId: 'getAvailabilityBatch',
  summary: 'Get the availability of up to 200 products',
  tag: 'Availability',
  scope: 'storefront:catalog',
  input: { body: AvailabilityBatchIn },
  response: AvailabilityBatch,
  caching: 'none',
  sections: { required: ['product'], optional: ['band'] },
  async handle({ body, backOffice, requestScope }) {
    const requested = [...new Set(body.skus)]
    const skus = requested.filter(isValidSku)
    const products = backOffice.products(skus, requestScope)
    const bands = backOffice.availability(skus, requestScope)
    const { errors, traces } = await fanOut(requestScope, {
      product: required(products.then(columnSection)),
      band: optional(bands.then(columnSection)),
    })
    const [productResults, bandResults] = await Promise.all([products, bands])
    const today = backOffice.today()
    // A product that could not be read is not reported as unknown; its band may still be available.
    const known = new Set(
      skus.filter((_, at) => {
        const { value, error } = productResults[at]!
        return value ? value.active : error
      }),
    )
    const data = skus.flatMap((sku, at) => (known.has(sku) ? [toAvailabilityRow(sku, bandResults[at]!, today)] : []))
    return { body: { data, unknown_skus: requested.filter((sku) => !known.has(sku)), errors }, errors, traces }
  },
})

function toAvailabilityRow(sku: string, { value, asOf }: LoadResult<StockAvailability>, today: string) {
  if (!value) return { sku, band: null, eta: null, lead_time_days: null, orderable: null, as_of: null }
  const lead_time_days = value.eta === null ? null : daysBetween(today, value.eta)
  return { sku, ...summarizeAvailability(value), lead_time_days, as_of: new Date(asOf).toISOString() }
}
