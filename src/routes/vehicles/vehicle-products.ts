import Type from 'typebox'
import { toPagination } from '../../contract/pagination.ts'
import { VehicleProducts } from '../../contract/vehicles.ts'
import { createNotFound } from '../../errors.ts'
import { defineRoute } from '../../http/route.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { columnSection, optional, required, valueSection } from '../../sections/section.ts'
import { mediaSection, priceAndAvailabilitySections, toProductListItem } from '../catalog/product-view.ts'
import { clampOffset, PageQuery } from '../pagination.ts'
import { isValidVehicleId } from '../upstream-ids.ts'

export const listVehicleProductsRoute = defineRoute({
  method: 'GET',
  path: '/v1/vehicles/:vehicle_id/products',
  operationId: 'listVehicleProducts',
  summary: 'List the products that fit a vehicle, including universal parts',
  tag: 'Vehicles',
  scope: 'storefront:catalog',
  input: { params: Type.Object({ vehicle_id: Type.Integer() }), query: PageQuery },
  response: VehicleProducts,
  caching: 'catalog',
  sections: { required: ['data'], optional: ['price', 'tax', 'availability', 'media'] },
  async handle({ params, query, backOffice, customerId, merchant, requestScope }) {
    if (!isValidVehicleId(params.vehicle_id)) throw createNotFound('vehicle')
    const fitments = await fanOut(requestScope, {
      data: required(backOffice.vehicleItems(params.vehicle_id, clampOffset(query), requestScope).then(valueSection)),
    })
    const page = fitments.values.data
    if (!page && fitments.errors.length === 0) throw createNotFound('vehicle')
    const skus = page?.skus ?? []
    const rows = await fanOut(requestScope, {
      data: required(backOffice.products(skus, requestScope).then(columnSection)),
    })
    const products = rows.values.data
    const details = await fanOut(requestScope, {
      ...priceAndAvailabilitySections(backOffice, skus, customerId, requestScope),
      media: optional(mediaSection(products)),
    })
    const { price, tax, availability } = details.values
    const data = products.flatMap((product, at) => {
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
    const errors = [...(fitments.errors.length > 0 ? fitments.errors : rows.errors), ...details.errors]
    return {
      body: {
        vehicle: page?.vehicle ?? null,
        data,
        pagination: toPagination(query, data.length, page?.total ?? null, page?.has_more ?? false),
        errors,
      },
      errors,
      traces: [...fitments.traces, ...rows.traces, ...details.traces],
    }
  },
})
