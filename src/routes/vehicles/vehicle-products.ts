import Type from 'typebox'
import { VehicleProducts } from '../../contract/catalog/vehicle-products.ts'
import { toPagination } from '../../contract/pagination.ts'
import { createNotFound } from '../../errors.ts'
import { defineRoute } from '../../http/route.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { required, valueSection } from '../../sections/section.ts'
import type { VehicleFitments } from '../../upstream/mirror/mirror-reader.ts'
import type { LoadResult } from '../../upstream/read-stack/cached-loader.ts'
import { isTextLoading, reportLoadingList } from '../catalog/catalog-loading-error.ts'
import { readSearchMembers } from '../catalog/facets-and-correction.ts'
import { type FoundPage, findProducts, type ProductSearch, UNREAD_PAGE } from '../catalog/find-products.ts'
import { assertListQuery, type ListQuery, listFilters } from '../catalog/list-parameters.ts'
import { createListRowsReader } from '../catalog/product-list-reader.ts'
import { findFitmentsForVehicle } from '../catalog/read-fitments-for-vehicle.ts'
import { withUnknownFilterHint } from '../catalog/unknown-filter-hint.ts'
import { clampOffset, PageQuery } from '../page-query.ts'
import { isValidVehicleId } from '../valid-upstream-ids.ts'

type VehicleFound = FoundPage & VehicleFitments

export const listVehicleProductsRoute = defineRoute({
  method: 'GET',
  path: '/v1/vehicles/:vehicle_id/products',
  operationId: 'listVehicleProducts',
  summary: 'List the products that fit a vehicle, including universal parts',
  tag: 'Vehicles',
  scope: 'storefront:catalog',
  input: {
    params: Type.Object({ vehicle_id: Type.Integer() }),
    query: Type.Object({ ...listFilters, ...PageQuery.properties }),
  },
  response: VehicleProducts,
  caching: 'catalog',
  sections: { required: ['data'], optional: ['facets', 'price', 'tax', 'availability', 'media'] },
  async handle(request) {
    const { params, backOffice, requestScope } = request
    const { vehicle_id } = params
    const search = { ...request, query: { ...request.query, vehicle_id } }
    assertListQuery(search.query, backOffice.mirror)
    if (!isValidVehicleId(vehicle_id)) throw createNotFound('vehicle')
    const isLoading = isTextLoading(backOffice.mirror)
    const found = await fanOut(requestScope, {
      data: required(findVehicleProducts(vehicle_id, search).then(valueSection)),
    })
    const page = found.values.data
    const unfound = isLoading && page ? reportLoadingList(search.query) : []
    if (!page && found.errors.length === 0) throw createNotFound('vehicle')
    const { skus, total, has_more } = page ?? UNREAD_PAGE
    const [rows, members] = await Promise.all([
      createListRowsReader(request).readSkus(skus),
      readSearchMembers(search, page ?? UNREAD_PAGE),
    ])
    const fitmentBySku = new Map(skus.map((sku, at) => [sku, page!.fitments[at] ?? null]))
    const data = rows.products.map((product) => ({
      ...rows.itemOf(product),
      fitment: fitmentBySku.get(product.sku) ?? null,
    }))
    const gaps = found.errors.length > 0 ? found.errors : rows.gaps
    const errors = [...(gaps.length > 0 ? gaps : unfound), ...members.errors, ...rows.errors]
    const response = {
      body: {
        vehicle: page?.vehicle ?? null,
        data,
        pagination: toPagination(request.query, data.length, total, has_more),
        ...members.body,
        errors,
      },
      errors,
      traces: [found, members, rows].flatMap(({ traces }) => traces),
    }
    return withUnknownFilterHint(response, search)
  },
})

/** Finds a page of a vehicle's products. Without other parameters it is the vehicle's own list, which has their fitment. */
async function findVehicleProducts(vehicleId: number, search: ProductSearch): Promise<LoadResult<VehicleFound>> {
  const { query, backOffice, requestScope } = search
  if (isPlain(query)) return backOffice.vehicleItems(vehicleId, clampOffset(toPage(query)), requestScope)
  const found = await findProducts(search)
  const fitments = await findFitmentsForVehicle(vehicleId, { ...search, skus: found.value?.skus ?? [] })
  if (!fitments.value) return { ...fitments, value: null }
  // The older of two stale parts: its age is the page's.
  const [failed = found] = [found, fitments].filter(({ error }) => error).sort((one, other) => one.asOf - other.asOf)
  return { ...failed, value: found.value && { ...found.value, ...fitments.value } }
}

const PLAIN = new Set<string>(['vehicle_id', 'limit', 'offset'])
const isPlain = (query: ListQuery) => Object.keys(query).every((name) => PLAIN.has(name))
const toPage = ({ limit, offset }: ListQuery) => ({ limit, offset })
