import type { Call } from './call.ts'
import type { Fitment, PageRange, SkuFitments, Vehicle, VehicleFacetQuery, VehicleFacetValue } from './inventory.ts'

export interface FittingPart {
  sku: string
  fitment: Fitment & { universal: boolean }
}

/** A vehicle with all SKUs that fit it, each once, universal ones included. */
export interface VehicleWithParts {
  vehicle: Vehicle
  parts: FittingPart[]
  /** Whether those are all: beyond `MOST_PARTS` universal ones are left out first. */
  isComplete: boolean
}

/** A vehicle's products are searched for by their SKUs: a longer list would burden the inventory with every page. */
export const MAX_PARTS_PER_VEHICLE = 10_000

/**
 * What Forecourt asks of a source of vehicle fitment that stands beside the inventory: a file that was imported, or another system.
 * It speaks of SKUs alone; which of them are products is for the inventory to say.
 * Every method rejects with UpstreamError alone.
 */
export interface FitmentPort {
  vehicleFacet(query: VehicleFacetQuery, call: Call): Promise<VehicleFacetValue[]>
  /** `null`: there is no such vehicle. */
  vehicle(vehicleId: number, call: Call): Promise<VehicleWithParts | null>
  /** `null`: it knows nothing of that SKU. */
  fitments(sku: string, page: PageRange, call: Call): Promise<SkuFitments | null>
}
