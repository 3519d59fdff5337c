import type { FitmentCounts } from '../storage/fitment/fitment-imports.ts'

export interface BadLine {
  line: number
  mistake: string
}

export interface Progress {
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
  headed: boolean
  /** Whether the file could be read to its end. */
  whole: boolean
  /** Without the head line, unless that is what is wrong. */
  lines: number
  /** Of these. */
  badLines: number
  /** Lines that said again what others had said. */
  doubled: number
  counts: FitmentCounts
  /** Columns that nobody reads. */
  unknownColumns: string[]
  /** Vehicles with more parts than are searched among. */
  crowded: { vehicle: string; parts: number }[]
}
