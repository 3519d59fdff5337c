import Type from 'typebox'
import { toPagination } from '../../contract/common-schemas.ts'
import { VehicleProducts } from '../../contract/vehicles.ts'
import { Problem } from '../../errors.ts'
import { defineRoute } from '../../http/route.ts'
import { columnSection, fanOut, optional, required, valueSection } from '../../sections/section.ts'
import { mediaSection, priceAndAvailabilitySections, toProductListItem } from '../catalog/product-view.ts'

export const PageQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  offset: Type.Integer({ minimum: 0, default: 0 }),
})

/** Ids and offsets beyond these are not asked for: a system whose integers are shorter would refuse the question. */
const MOST_VEHICLE_ID = 2 ** 31 - 1
const MOST_OFFSET = 1_000_000_000

export const isValidVehicleId = (vehicleId: number): boolean => vehicleId >= 0 && vehicleId <= MOST_VEHICLE_ID

/** The page to ask a back office for: past the end is past the end, however far. */
export const clampOffset = <P extends { offset: number }>(page: P): P => ({
  ...page,
  offset: Math.min(page.offset, MOST_OFFSET),
})

export const listVehicleProductsRoute = defineRoute({
  method: 'GET',
  path: '/v1/vehicles/:vehicle_id/products',
  operationId: 'listVehicleProducts',
  summary: 'The products that fit a vehicle, universal parts included',
  tag: 'Vehicles',
  scope: 'storefront:catalog',
  input: { params: Type.Object({ vehicle_id: Type.Integer() }), query: PageQuery },
  response: VehicleProducts,
  caching: 'catalog',
  sections: { required: ['data'], optional: ['price', 'tax', 'availability', 'media'] },
  async answer({ params, query, backOffice, customerId, merchant, requestScope }) {
    if (!isValidVehicleId(params.vehicle_id)) throw new Problem('not_found')
    const found = await fanOut(requestScope, {
      data: required(backOffice.vehicleItems(params.vehicle_id, clampOffset(query), requestScope).then(valueSection)),
    })
    const page = found.values.data
    if (page && page.vehicle === null) throw new Problem('not_found')
    const skus = page?.skus ?? []
    const rows = await fanOut(requestScope, {
      data: required(backOffice.products(skus, requestScope).then(columnSection)),
    })
    const listed = rows.values.data
    const beside = await fanOut(requestScope, {
      ...priceAndAvailabilitySections(backOffice, skus, customerId, requestScope),
      media: optional(mediaSection(listed)),
    })
    const { price, tax, availability } = beside.values
    const data = listed.flatMap((product, at) => {
      const fitment = page?.fitments[at]
      if (!product?.active || !fitment) return []
      const item = toProductListItem(
        product,
        price[at] ?? null,
        tax[at] ?? null,
        availability[at] ?? null,
        merchant.currency,
      )
      return [{ ...item, fitment }]
    })
    const errors = [...(found.errors.length > 0 ? found.errors : rows.errors), ...beside.errors]
    return {
      body: {
        vehicle: page?.vehicle ?? null,
        data,
        pagination: toPagination(query, data.length, page?.total ?? null, page?.has_more ?? false),
        errors,
      },
      errors,
      traces: [...found.traces, ...rows.traces, ...beside.traces],
    }
  },
})
