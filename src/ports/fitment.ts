import type { Call } from './call.ts'
import type { Fitment, SkuFitments } from './sku-fitments.ts'
import type { PageRange, Vehicle, VehicleFacetQuery, VehicleFacetValue } from './vehicle.ts'

export interface VehiclePart {
  sku: string
  fitment: Fitment & { universal: boolean }
}

/** A vehicle with all SKUs that fit it, each once, universal ones included. */
export interface VehicleWithParts {
  vehicle: Vehicle
  parts: VehiclePart[]
  /** False when parts are missing: above MAX_PARTS_PER_VEHICLE, universal ones are omitted first. */
  isComplete: boolean
}

/** The inventory searches a vehicle's products by their SKUs: a longer list would make every page expensive. */
export const MAX_PARTS_PER_VEHICLE = 10_000

/**
 * The port of a fitment source other than the inventory: an imported file, or another system. It knows only SKUs; the inventory
 * decides which of them are products. Every method rejects only with UpstreamError.
 */
export interface FitmentPort {
  vehicleFacet(query: VehicleFacetQuery, call: Call): Promise<VehicleFacetValue[]>
  /** Returns `null` when the vehicle does not exist. */
  vehicle(vehicleId: number, call: Call): Promise<VehicleWithParts | null>
  /** Returns `null` when the source does not know the SKU. */
  fitments(sku: string, page: PageRange, call: Call): Promise<SkuFitments | null>
}
