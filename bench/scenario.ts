import type { ReportTable } from './report-table.ts'

export interface ScenarioOptions {
  short: boolean
  /** The size of the catalog of `search`. */
  products?: number
}

/** The result of a scenario: tables to print, and figures for the JSON file. */
export interface ScenarioResult {
  name: string
  tables: ReportTable[]
  figures: object
}
