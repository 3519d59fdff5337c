import { type Banded, daysBetween } from '../../catalog/availability-bands.ts'
import { Availability, AvailabilityBatch, AvailabilityBatchIn } from '../../contract/availability.ts'
import { Problem } from '../../errors.ts'
import { column, fanOut, optional, required } from '../../sections/section.ts'
import type { Filled } from '../../upstream/cached-loader.ts'
import { mayBeSku, SkuParams } from './product.ts'
import { route } from '../../http/route.ts'

const sections = { required: ['product'], optional: ['band'] }

export const availability = route({
  method: 'GET',
  path: '/v1/products/:sku/availability',
  operationId: 'getAvailability',
  summary: 'How available one product is',
  tag: 'Availability',
  scope: 'storefront:catalog',
  input: { params: SkuParams },
  response: Availability,
  caching: 'availability',
  sections: { required: ['product', 'band'], optional: [] },
  async answer({ params: { sku }, office, asking }) {
    if (!mayBeSku(sku)) throw new Problem('not_found')
    const bands = office.availability([sku], asking)
    const { values, errors, traces } = await fanOut(asking, {
      product: required(office.products([sku], asking).then(column)),
      band: required(bands.then(column)),
    })
    if (!values.product[0]?.active) throw new Problem('not_found')
    const row = availabilityRow(sku, (await bands)[0]!, office.today())
    return { body: { ...row, errors }, errors, traces }
  },
})

export const availabilityBatch = route({
  method: 'POST',
  path: '/v1/availability/batch',
  operationId: 'getAvailabilityBatch',
  summary: 'How available up to 200 products are',
  tag: 'Availability',
  scope: 'storefront:catalog',
  input: { body: AvailabilityBatchIn },
  response: AvailabilityBatch,
  caching: 'none',
  sections,
  async answer({ body, office, asking }) {
    const all = [...new Set(body.skus)]
    const skus = all.filter(mayBeSku)
    const products = office.products(skus, asking)
    const bands = office.availability(skus, asking)
    const { errors, traces } = await fanOut(asking, {
      product: required(products.then(column)),
      band: optional(bands.then(column)),
    })
    const [kept, banded] = await Promise.all([products, bands])
    const today = office.today()
    // A product that could not be read is not called unknown: its band is told where that is known.
    const known = new Set(skus.filter((_, at) => (kept[at]!.value ? kept[at]!.value.active : kept[at]!.error)))
    const data = skus.flatMap((sku, at) => (known.has(sku) ? [availabilityRow(sku, banded[at]!, today)] : []))
    return { body: { data, unknown_skus: all.filter((sku) => !known.has(sku)), errors }, errors, traces }
  },
})

function availabilityRow(sku: string, { value, asOf }: Filled<Banded>, today: string) {
  if (!value) return { sku, band: null, eta: null, lead_time_days: null, as_of: null }
  const lead_time_days = value.eta === null ? null : daysBetween(today, value.eta)
  return { sku, band: value.band, eta: value.eta, lead_time_days, as_of: new Date(asOf).toISOString() }
}
