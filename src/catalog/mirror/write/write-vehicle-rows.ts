import type { Vehicle } from '../../../ports/vehicle.ts'
import { toMakeOrModelKey } from '../vehicles/make-and-model-keys.ts'
import type { VehicleWordReader } from '../vehicles/vehicle-word-reader.ts'
import type { MirrorStatements } from './mirror-statements.ts'

/** The statements and the words with which vehicles are written. */
export interface VehicleWriterParts {
  statements: MirrorStatements
  vehicleWords: VehicleWordReader
}

export function writeVehicle({ statements, vehicleWords }: VehicleWriterParts, vehicle: Vehicle): void {
  const { vehicle_id, year, make, model, submodel, engine, market } = vehicle
  vehicleWords.forget(vehicle_id)
  const keys = [toMakeOrModelKey(make), toMakeOrModelKey(model)]
  statements.putVehicle.run(vehicle_id, year, make, model, ...keys, submodel, engine, market)
}

export function removeVehicle({ statements, vehicleWords }: VehicleWriterParts, id: number): void {
  vehicleWords.forget(id)
  statements.removeVehicle.run(id)
}
