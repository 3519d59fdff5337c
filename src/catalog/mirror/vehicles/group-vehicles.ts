import type { Vehicle, VehicleFacetValue } from '../../../ports/vehicle.ts'

/** Returns makes or models by name, ignoring case. Counts are numbers of vehicles. */
export function groupVehicles(vehicles: readonly Vehicle[], facet: 'make' | 'model'): VehicleFacetValue[] {
  const groups = [...Map.groupBy(vehicles, (vehicle) => vehicle[facet].toLowerCase())].sort(([a], [b]) =>
    a < b ? -1 : 1,
  )
  return groups.map(([, some]) => {
    const sorted = some.toSorted((a, b) => compareVariants(a, b) || a.vehicle_id - b.vehicle_id)
    const { [facet]: value, vehicle_id } = sorted[0]!
    const row = { value, label: value, count: sorted.length }
    if (facet === 'make') return row
    const variants = sorted.map(({ vehicle_id, submodel, engine, market }) => ({
      vehicle_id,
      submodel,
      engine,
      market,
    }))
    return { ...row, vehicle_id, variants }
  })
}

const compareVariants = (a: Vehicle, b: Vehicle): number => {
  const [x, y] = [a, b].map(({ submodel, engine, market }) => [submodel ?? '', engine ?? '', market].join('\n'))
  return x! < y! ? -1 : x! > y! ? 1 : 0
}
