export interface InvalidLine {
  line: number
  mistake: string
}

export interface ImportProgress {
  bytes: number
  lines: number
  rows: number
}

/** The content that was read from a file. */
export interface FileSummary {
  /** True when the header of the file was valid. */
  hasHeader: boolean
  /** True when the file was read to its end. */
  isComplete: boolean
  /** Without the header line, unless the header itself is bad. */
  lines: number
  badLines: number
  /** Lines that repeat earlier ones. */
  duplicateLines: number
  /** Columns or elements that the import does not use. */
  unused: readonly string[]
}

/**
 * `imported`: the import is active. `checked`: a dry run that would succeed. `refused`: the file has bad lines, or no rows.
 * `overtaken`: another import took the lease. Only `imported` changes anything.
 */
export type ImportResult = 'imported' | 'checked' | 'refused' | 'overtaken'

export type ImportReport<Summary extends FileSummary = FileSummary> = Summary & { outcome: ImportResult }
