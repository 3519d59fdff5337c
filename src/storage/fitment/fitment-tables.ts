/** Imported vehicle fitment. What an import wrote is never changed: the next one is written beside it, then takes its place. */
export interface FitmentTables {
  fitment_imports: {
    /** Random; small, because every row of the import has it. */
    import_id: number
    tenant_id: string
    mode: 'live' | 'sandbox'
    /** LOADING until it is whole; CURRENT: in force, at most one in a tenant and mode; ENDED: its rows may go. */
    state: 'LOADING' | 'CURRENT' | 'ENDED'
    /** The name of the file. */
    source: string
    /** JSON: what there is of each thing. */
    counts: string
    created_at: string
    /** When it was last written to, or changed its state. */
    touched_at: string
  }
  /** Kept for ever, so that a vehicle has the same id in every import. */
  fitment_vehicle_ids: {
    tenant_id: string
    mode: 'live' | 'sandbox'
    vehicle_id: number
    /** What makes it that vehicle, as fitment/vehicle-key.ts writes it. */
    vehicle_key: string
  }
  fitment_vehicles: {
    import_id: number
    vehicle_id: number
    vehicle_key: string
    /** Empty: any. */
    market: string
    /** Lower case, like the next. */
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
