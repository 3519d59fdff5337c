import type { Fitment } from '../ports/inventory.ts'
import type { ExportedRow } from '../storage/fitment/fitment-export-rows.ts'
import { type Column, columnNames } from './csv-columns.ts'
import { MOST_GIVEN_ID } from './csv-fields.ts'

const cellOf = (text: string) => (/[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A line of CSV, without its end. */
export const csvLine = (cells: readonly string[]): string => cells.map(cellOf).join(',')

export const headLine = csvLine(columnNames)

/** A row as a line that an import reads as the same row. */
export function csvRow(row: ExportedRow): string {
  const { positions, quantity, notes, qualifiers } = JSON.parse(row.fitment) as Fitment
  const cells: Record<Column, string> = {
    sku: row.sku,
    year: row.year === null ? '' : String(row.year),
    make: row.make ?? '',
    model: row.model ?? '',
    submodel: row.submodel ?? '',
    engine: row.engine ?? '',
    market: row.market ?? '',
    // Those that were given here are given again.
    vehicle_id: row.year !== null && row.vehicle_id <= MOST_GIVEN_ID ? String(row.vehicle_id) : '',
    positions: positions.join('|'),
    quantity: quantity === null ? '' : String(quantity),
    notes: notes ?? '',
    qualifiers: qualifiers.map(({ code, text }) => `${code}:${text}`).join('|'),
    universal: row.year === null ? 'yes' : '',
  }
  return csvLine(columnNames.map((column) => cells[column]))
}

export const template = [
  headLine,
  csvLine([
    ...['BRK-1001', '2014-2018', 'Toyota', 'Corolla', 'LE', '1.8L I4', 'JM', '', 'Front Left|Front Right', '2'],
    ...['Not for the hatchback', 'ABS:with ABS', ''],
  ]),
  csvLine(['OIL-5W30-1L', '', '', '', '', '', '', '', '', '', '', '', 'yes']),
].join('\n')
