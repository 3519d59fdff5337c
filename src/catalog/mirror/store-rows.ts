import type { MirrorRow } from './mirror-row.ts'
import type { MirrorChanges } from './mirror-writer.ts'
import { type ProductFitment, vehiclesOfRuns } from './product-fitment.ts'

/** Returns the fitment of a product in the store as a mirror's row has it; `null`: it was not read, or fits nothing. */
export function toRowFitment(document: string | null): Pick<MirrorRow, 'vehicles' | 'universal' | 'fitment'> {
  if (document === null) return { vehicles: [], universal: false }
  const fitment = JSON.parse(document) as ProductFitment
  return { vehicles: vehiclesOfRuns(fitment.runs), universal: fitment.universal !== null, fitment }
}

/** Returns the changes of vehicles in the store. A vehicle without a document no longer exists. */
export function toVehicleChanges(
  rows: readonly { vehicle_id: number; vehicle: string | null }[],
): Required<Pick<MirrorChanges, 'vehicles' | 'removedVehicles'>> {
  return {
    vehicles: rows.flatMap(({ vehicle }) => (vehicle === null ? [] : JSON.parse(vehicle))),
    removedVehicles: rows.flatMap(({ vehicle_id, vehicle }) => (vehicle === null ? vehicle_id : [])),
  }
}
