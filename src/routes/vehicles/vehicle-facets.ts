import Type from 'typebox'
import { VehicleFacet } from '../../contract/catalog/vehicle-facet.ts'
import { type ApiResponse, defineRoute } from '../../http/route.ts'
import type { VehicleFacetQuery, VehicleFacetValue } from '../../ports/vehicle.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { required, valueSection } from '../../sections/section.ts'
import type { BackOffice } from '../../upstream/back-office.ts'
import type { RequestScope } from '../../upstream/request/request-scope.ts'

const market = Type.Optional(
  Type.String({ maxLength: 64, description: 'A market such as JM or US; all markets by default' }),
)
const year = Type.Integer({ minimum: 1900, maximum: 2100 })
const make = Type.String({ minLength: 1, maxLength: 128 })

const vehicleRouteDefaults = {
  method: 'GET',
  tag: 'Vehicles',
  scope: 'storefront:catalog',
  response: VehicleFacet,
  caching: 'catalog',
  sections: { required: ['data'], optional: [] },
} as const

export const listVehicleYearsRoute = defineRoute({
  ...vehicleRouteDefaults,
  path: '/v1/vehicles/years',
  operationId: 'listVehicleYears',
  summary: 'List the model years that have parts',
  input: { query: Type.Object({ market }) },
  handle: ({ query, backOffice, requestScope }) =>
    buildFacetResponse({ facet: 'year', ...query }, backOffice, requestScope),
})

export const listVehicleMakesRoute = defineRoute({
  ...vehicleRouteDefaults,
  path: '/v1/vehicles/makes',
  operationId: 'listVehicleMakes',
  summary: 'List the makes of a model year',
  input: { query: Type.Object({ year, market }) },
  handle: ({ query, backOffice, requestScope }) =>
    buildFacetResponse({ facet: 'make', ...query }, backOffice, requestScope),
})

export const listVehicleModelsRoute = defineRoute({
  ...vehicleRouteDefaults,
  path: '/v1/vehicles/models',
  operationId: 'listVehicleModels',
  summary: 'List the models of a make in a model year, with their vehicle ids',
  input: { query: Type.Object({ year, make, market }) },
  handle: ({ query, backOffice, requestScope }) =>
    buildFacetResponse({ facet: 'model', ...query }, backOffice, requestScope),
})

/** What to send if nothing is found. */
const EMPTY_HINTS: Readonly<Record<VehicleFacetQuery['facet'], string | undefined>> = {
  year: undefined,
  make: 'No vehicle has this year and market. GET /v1/vehicles/years lists the years.',
  model: 'No vehicle has this year, make and market. GET /v1/vehicles/makes?year={year} lists the makes of a year.',
}

async function buildFacetResponse(
  query: VehicleFacetQuery,
  backOffice: BackOffice,
  requestScope: RequestScope,
): Promise<ApiResponse> {
  const { values, errors, traces } = await fanOut(requestScope, {
    data: required(backOffice.vehicleFacet(query, requestScope).then(valueSection)),
  })
  return {
    body: { facet: query.facet, market: query.market ?? null, data: (values.data ?? []).map(toFacetValue), errors },
    errors,
    traces,
    hint: values.data?.length === 0 ? EMPTY_HINTS[query.facet] : undefined,
  }
}

function toFacetValue({ value, label, count, vehicle_id, variants }: VehicleFacetValue) {
  const withMarket = variants?.map(({ market = null, ...variant }) => ({ ...variant, market }))
  return {
    ...{ value, label, count },
    ...(vehicle_id !== undefined && { vehicle_id }),
    ...(withMarket && { variants: withMarket }),
  }
}
