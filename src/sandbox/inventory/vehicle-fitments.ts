import type { DocumentStore } from '../storage/document-store.ts'

export interface StoredVehicle {
  vehicle_id: number
  year: number
  make: string
  model: string
  submodel: string | null
  engine: string | null
  market: string
}

export interface StoredFitment {
  vehicle_ids: number[]
  positions: string[]
  quantity: number | null
  notes: string | null
  qualifiers: { code: string; text: string }[]
}

export interface VehicleFitments {
  vehicle(id: number): StoredVehicle | undefined
  vehicles(): Iterable<StoredVehicle>
  /** The fitment of each SKU on this vehicle, without universal parts. */
  partsFor(id: number): ReadonlyMap<string, StoredFitment>
  /** Every vehicle that a SKU fits, by id. */
  vehiclesFor(sku: string): { vehicle: StoredVehicle; fitment: StoredFitment }[]
}

/** The vehicles of one account and their parts. The index by vehicle is built on first use. */
export function openVehicleFitments(store: DocumentStore): VehicleFitments {
  const vehicles = new Map(
    [...store.all<StoredVehicle>('vehicles').values()].map((vehicle) => [vehicle.vehicle_id, vehicle]),
  )
  const fitments = store.all<StoredFitment[]>('fitments')
  let partsByVehicle: Map<number, Map<string, StoredFitment>> | undefined
  const noParts = new Map<string, StoredFitment>()
  return {
    vehicle: (id) => vehicles.get(id),
    vehicles: () => vehicles.values(),
    partsFor(id) {
      partsByVehicle ??= indexByVehicle(fitments)
      return partsByVehicle.get(id) ?? noParts
    },
    vehiclesFor(sku) {
      const rows = (fitments.get(sku) ?? []).flatMap((fitment) =>
        fitment.vehicle_ids.flatMap((id) => {
          const vehicle = vehicles.get(id)
          return vehicle ? [{ vehicle, fitment }] : []
        }),
      )
      return rows.sort((a, b) => a.vehicle.vehicle_id - b.vehicle.vehicle_id)
    },
  }
}

function indexByVehicle(fitments: ReadonlyMap<string, StoredFitment[]>): Map<number, Map<string, StoredFitment>> {
  const parts = new Map<number, Map<string, StoredFitment>>()
  for (const [sku, rows] of fitments) {
    for (const row of rows) {
      for (const id of row.vehicle_ids) {
        if (!parts.has(id)) parts.set(id, new Map())
        parts.get(id)!.set(sku, row)
      }
    }
  }
  return parts
}
