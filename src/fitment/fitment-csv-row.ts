import { formatCsvLine } from '../imports/format-csv-line.ts'
import type { Fitment } from '../ports/sku-fitments.ts'
import type { FitmentExportRow } from '../storage/fitment/fitment-export-queries.ts'
import { type FitmentColumn, fitmentColumnNames } from './csv-columns.ts'
import { MAX_GIVEN_VEHICLE_ID } from './csv-fields.ts'

export const fitmentCsvHeaderLine = formatCsvLine(fitmentColumnNames)

/** Formats a row so that an import reads the same row. */
export function toFitmentCsvRow(row: FitmentExportRow): string {
  const { positions, quantity, notes, qualifiers } = JSON.parse(row.fitment) as Fitment
  const cells: Record<FitmentColumn, string> = {
    sku: row.sku,
    year: row.year === null ? '' : String(row.year),
    make: row.make ?? '',
    model: row.model ?? '',
    submodel: row.submodel ?? '',
    engine: row.engine ?? '',
    market: row.market ?? '',
    // Generated ids are left out: an import generates the same ones.
    vehicle_id: row.year !== null && row.vehicle_id <= MAX_GIVEN_VEHICLE_ID ? String(row.vehicle_id) : '',
    positions: positions.join('|'),
    quantity: quantity === null ? '' : String(quantity),
    notes: notes ?? '',
    qualifiers: qualifiers.map(({ code, text }) => `${code}:${text}`).join('|'),
    universal: row.year === null ? 'yes' : '',
  }
  return formatCsvLine(fitmentColumnNames.map((column) => cells[column]))
}
