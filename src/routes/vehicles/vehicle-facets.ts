import Type from 'typebox'
import { VehicleFacet } from '../../contract/vehicles.ts'
import { type ApiResponse, defineRoute } from '../../http/route.ts'
import type { VehicleFacetQuery, VehicleFacetValue } from '../../ports/inventory.ts'
import { fanOut, required, valueSection } from '../../sections/section.ts'
import type { BackOffice } from '../../upstream/back-office.ts'
import type { RequestScope } from '../../upstream/request-scope.ts'

const market = Type.Optional(Type.String({ maxLength: 64, description: 'A market such as JM or US; without it, all' }))
const year = Type.Integer({ minimum: 1900, maximum: 2100 })
const make = Type.String({ minLength: 1, maxLength: 128 })

const shared = {
  method: 'GET',
  tag: 'Vehicles',
  scope: 'storefront:catalog',
  response: VehicleFacet,
  caching: 'catalog',
  sections: { required: ['data'], optional: [] },
} as const

export const listVehicleYearsRoute = defineRoute({
  ...shared,
  path: '/v1/vehicles/years',
  operationId: 'listVehicleYears',
  summary: 'The model years that parts are known for',
  input: { query: Type.Object({ market }) },
  answer: ({ query, backOffice, requestScope }) => facet({ facet: 'year', ...query }, backOffice, requestScope),
})

export const listVehicleMakesRoute = defineRoute({
  ...shared,
  path: '/v1/vehicles/makes',
  operationId: 'listVehicleMakes',
  summary: 'The makes of a model year',
  input: { query: Type.Object({ year, market }) },
  answer: ({ query, backOffice, requestScope }) => facet({ facet: 'make', ...query }, backOffice, requestScope),
})

export const listVehicleModelsRoute = defineRoute({
  ...shared,
  path: '/v1/vehicles/models',
  operationId: 'listVehicleModels',
  summary: 'The models of a make in a model year, with their vehicle ids',
  input: { query: Type.Object({ year, make, market }) },
  answer: ({ query, backOffice, requestScope }) => facet({ facet: 'model', ...query }, backOffice, requestScope),
})

async function facet(
  query: VehicleFacetQuery,
  backOffice: BackOffice,
  requestScope: RequestScope,
): Promise<ApiResponse> {
  const { values, errors, traces } = await fanOut(requestScope, {
    data: required(backOffice.vehicleFacet(query, requestScope).then(valueSection)),
  })
  return {
    body: { facet: query.facet, market: query.market ?? null, data: (values.data ?? []).map(view), errors },
    errors,
    traces,
  }
}

function view({ value, label, count, vehicle_id, variants }: VehicleFacetValue) {
  return { value, label, count, ...(vehicle_id !== undefined && { vehicle_id }), ...(variants && { variants }) }
}
