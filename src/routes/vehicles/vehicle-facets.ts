import Type from 'typebox'
import { VehicleFacet } from '../../contract/vehicles.ts'
import type { FacetValue, VehicleFacetQuery } from '../../ports/inventory.ts'
import { fanOut, one, required } from '../../sections/section.ts'
import type { Asking } from '../../upstream/request-scope.ts'
import type { BackOffice } from '../../upstream/back-office.ts'
import { type Answer, route } from '../../http/route.ts'

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

export const vehicleYears = route({
  ...shared,
  path: '/v1/vehicles/years',
  operationId: 'listVehicleYears',
  summary: 'The model years that parts are known for',
  input: { query: Type.Object({ market }) },
  answer: ({ query, office, asking }) => facet({ facet: 'year', ...query }, office, asking),
})

export const vehicleMakes = route({
  ...shared,
  path: '/v1/vehicles/makes',
  operationId: 'listVehicleMakes',
  summary: 'The makes of a model year',
  input: { query: Type.Object({ year, market }) },
  answer: ({ query, office, asking }) => facet({ facet: 'make', ...query }, office, asking),
})

export const vehicleModels = route({
  ...shared,
  path: '/v1/vehicles/models',
  operationId: 'listVehicleModels',
  summary: 'The models of a make in a model year, with their vehicle ids',
  input: { query: Type.Object({ year, make, market }) },
  answer: ({ query, office, asking }) => facet({ facet: 'model', ...query }, office, asking),
})

async function facet(query: VehicleFacetQuery, office: BackOffice, asking: Asking): Promise<Answer> {
  const { values, errors, traces } = await fanOut(asking, {
    data: required(office.vehicleFacet(query, asking).then(one)),
  })
  return {
    body: { facet: query.facet, market: query.market ?? null, data: (values.data ?? []).map(view), errors },
    errors,
    traces,
  }
}

function view({ value, label, count, vehicle_id, variants }: FacetValue) {
  return { value, label, count, ...(vehicle_id !== undefined && { vehicle_id }), ...(variants && { variants }) }
}
