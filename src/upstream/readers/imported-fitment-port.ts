import { groupVehicles } from '../../catalog/mirror/vehicles/group-vehicles.ts'
import type { FitmentPort } from '../../ports/fitment.ts'
import type { Database } from '../../storage/database.ts'
import {
  countImportedVehiclesByYear,
  findImportedFitments,
  findImportedVehicle,
  listImportedVehicles,
} from '../../storage/fitment/imported-fitment-queries.ts'
import type { Tenant } from '../../tenant.ts'

/** The fitment that `forecourt fitment import` stored for a tenant. */
export function createImportedFitmentPort(db: Database, tenant: Tenant): FitmentPort {
  return {
    async vehicleFacet({ facet, ...filter }) {
      if (facet === 'year') {
        const years = await countImportedVehiclesByYear(db, tenant, filter.market)
        return years.map(({ year, count }) => ({ value: String(year), label: String(year), count }))
      }
      return groupVehicles(await listImportedVehicles(db, tenant, filter), facet)
    },
    vehicle: (vehicleId) => findImportedVehicle(db, tenant, vehicleId),
    fitments: (sku, page) => findImportedFitments(db, tenant, sku, page),
  }
}
