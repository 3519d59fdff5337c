import type { FitmentImportCounts } from '../storage/fitment/fitment-imports.ts'

export interface InvalidLine {
  line: number
  mistake: string
}

export interface ImportProgress {
  bytes: number
  lines: number
  rows: number
}

export interface ImportReport {
  /**
   * `imported`: the import is active. `checked`: a dry run that would succeed. `refused`: the file has bad lines, or no rows.
   * `overtaken`: another import took the lease. Only `imported` changes anything.
   */
  outcome: 'imported' | 'checked' | 'refused' | 'overtaken'
  /** True when the header line has the required columns. */
  hasHeader: boolean
  /** True when the file was read to its end. */
  isComplete: boolean
  /** Without the header line, unless the header itself is bad. */
  lines: number
  badLines: number
  /** Lines that repeat earlier ones. */
  duplicateLines: number
  counts: FitmentImportCounts
  /** Columns that the import ignores. */
  unknownColumns: string[]
  /** Vehicles with more parts than MAX_PARTS_PER_VEHICLE. */
  oversizedVehicles: { vehicle: string; parts: number }[]
}
