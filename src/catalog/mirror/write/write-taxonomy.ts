import type { Category, Tag } from '../../../ports/inventory.ts'
import type { Vehicle } from '../../../ports/vehicle.ts'
import type { VehicleNameReader } from '../vehicles/stored-fitment.ts'
import { toVehicleKey } from '../vehicles/vehicle-keys.ts'
import type { MirrorStatements } from './mirror-statements.ts'

/** What vehicles are written with. */
export interface VehicleWriterParts {
  statements: MirrorStatements
  vehicleNames: VehicleNameReader
}

export function writeVehicle({ statements, vehicleNames }: VehicleWriterParts, vehicle: Vehicle): void {
  const { vehicle_id, year, make, model, submodel, engine, market } = vehicle
  vehicleNames.forget(vehicle_id)
  const keys = [toVehicleKey(make), toVehicleKey(model)]
  statements.putVehicle.run(vehicle_id, year, make, model, ...keys, submodel, engine, market)
}

export function removeVehicle({ statements, vehicleNames }: VehicleWriterParts, id: number): void {
  vehicleNames.forget(id)
  statements.removeVehicle.run(id)
}

export function replaceCategories(statements: MirrorStatements, categories: readonly Category[]): void {
  statements.clearCategories.run()
  for (const { category_id, name, slug, parent_id, position, product_count } of categories)
    statements.putCategory.run(category_id, name, slug, parent_id, position, product_count)
}

export function replaceTags(statements: MirrorStatements, tags: readonly Tag[]): void {
  statements.clearTags.run()
  for (const { tag, name, count } of tags) statements.putTag.run(tag, name, count)
}
