import type { FitmentPort } from '../ports/fitment.ts'
import type { Vehicle, VehicleFacetValue } from '../ports/vehicle.ts'
import type { Database } from '../storage/database.ts'
import {
  countImportedVehiclesByYear,
  findImportedFitments,
  findImportedVehicle,
  listImportedVehicles,
} from '../storage/fitment/fitment-queries.ts'
import type { Tenant } from '../tenant.ts'

/** The fitment that `forecourt fitment import` stored for a tenant. */
export function createImportedFitmentPort(db: Database, tenant: Tenant): FitmentPort {
  return {
    async vehicleFacet({ facet, ...filter }) {
      if (facet === 'year') {
        const years = await countImportedVehiclesByYear(db, tenant, filter.market)
        return years.map(({ year, count }) => ({ value: String(year), label: String(year), count }))
      }
      return grouped(await listImportedVehicles(db, tenant, filter), facet)
    },
    vehicle: (vehicleId) => findImportedVehicle(db, tenant, vehicleId),
    fitments: (sku, page) => findImportedFitments(db, tenant, sku, page),
  }
}

/** Makes or models by name, ignoring case. Counts are vehicles. */
function grouped(vehicles: readonly Vehicle[], facet: 'make' | 'model'): VehicleFacetValue[] {
  const groups = [...Map.groupBy(vehicles, (vehicle) => vehicle[facet].toLowerCase())].sort(([a], [b]) =>
    a < b ? -1 : 1,
  )
  return groups.map(([, some]) => {
    const sorted = some.toSorted((a, b) => compared(a, b) || a.vehicle_id - b.vehicle_id)
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

const compared = (a: Vehicle, b: Vehicle) => {
  const [x, y] = [a, b].map(({ submodel, engine, market }) => [submodel ?? '', engine ?? '', market].join('\n'))
  return x! < y! ? -1 : x! > y! ? 1 : 0
}
