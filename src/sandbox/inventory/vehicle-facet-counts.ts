import { HttpError } from '../http/http-error.ts'
import type { StoredVehicle } from './vehicle-fitments.ts'

export interface VehicleFacetParams {
  facet: 'year' | 'make' | 'model'
  market?: string
  year?: number
  make?: string
}

/** The values of one step of a vehicle selection: years newest first, makes and models by name. Counts are numbers of vehicles. */
export function countVehicleFacet(vehicles: Iterable<StoredVehicle>, query: VehicleFacetParams) {
  const { facet, market, year, make } = query
  if (facet !== 'year' && year === undefined)
    throw new HttpError(400, 'bad_request', 'query/year: required for this facet')
  if (facet === 'model' && make === undefined)
    throw new HttpError(400, 'bad_request', 'query/make: required for this facet')
  const matching = [...vehicles].filter(
    (vehicle) =>
      (market === undefined || vehicle.market === market) &&
      (facet === 'year' || vehicle.year === year) &&
      (facet !== 'model' || vehicle.make.toLowerCase() === make?.toLowerCase()),
  )
  const groups = [...Map.groupBy(matching, (vehicle) => String(vehicle[facet]))]
  groups.sort(([a], [b]) => (facet === 'year' ? Number(b) - Number(a) : a < b ? -1 : 1))
  return groups.map(([value, group]) => {
    const row = { value, label: value, count: group.length }
    if (facet !== 'model') return row
    const variants = group.map(({ vehicle_id, submodel, engine, market }) => ({ vehicle_id, submodel, engine, market }))
    return { ...row, vehicle_id: variants[0]!.vehicle_id, variants }
  })
}
