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
   * `imported`: it is in force. `checked`: it would be, but nothing was to be written. `refused`: it has bad lines, or nothing in it.
   * `overtaken`: somebody ended it meanwhile. Only the first changes anything.
   */
  outcome: 'imported' | 'checked' | 'refused' | 'overtaken'
  /** Whether the head line names the columns that are needed. */
  hasHeader: boolean
  /** Whether the file could be read to its end. */
  isComplete: boolean
  /** Without the head line, unless that is what is wrong. */
  lines: number
  /** Of these. */
  badLines: number
  /** Lines that said again what others had said. */
  duplicateLines: number
  counts: FitmentImportCounts
  /** Columns that nobody reads. */
  unknownColumns: string[]
  /** Vehicles with more parts than are searched among. */
  oversizedVehicles: { vehicle: string; parts: number }[]
}
