import type { TenantColumns } from '../tenant-columns.ts'
import type { ImportRow } from './import-tables.ts'

/** Imported vehicle fitment. */
export interface FitmentTables {
  fitment_imports: ImportRow
  /** Never deleted, so that a vehicle has the same id in every import. */
  fitment_vehicle_ids: TenantColumns & {
    vehicle_id: number
    /** The vehicle's identifying fields, as fitment/vehicle-key.ts writes them. */
    vehicle_key: string
  }
  fitment_vehicles: {
    import_id: number
    vehicle_id: number
    vehicle_key: string
    /** Empty: any. */
    market: string
    /** The `_key` columns are in lower case, for searching. */
    market_key: string
    year: number
    make: string
    make_key: string
    model: string
    submodel: string | null
    engine: string | null
  }
  fitments: {
    import_id: number
    /** 0: the SKU is universal. */
    vehicle_id: number
    sku: string
    /** JSON: positions, quantity, notes and qualifiers. */
    fitment: string
  }
}
