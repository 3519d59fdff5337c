import type { TenantColumns } from '../tenant-columns.ts'

/** Imported vehicle fitment. The rows of an import never change: the next import is written next to it and then replaces it. */
export interface FitmentTables {
  fitment_imports: TenantColumns & {
    /** Random, and small because every row of the import has it. */
    import_id: number
    /** LOADING while it is written; CURRENT: active, at most one for a tenant; ENDED: its rows may be deleted. */
    state: 'LOADING' | 'CURRENT' | 'ENDED'
    /** The file's name. */
    source: string
    /** JSON of FitmentImportCounts. */
    counts: string
    created_at: string
    /** When rows were last written, or its state last changed. */
    touched_at: string
  }
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
