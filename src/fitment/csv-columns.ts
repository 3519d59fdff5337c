import type { CsvColumns } from '../imports/csv-header.ts'

export const fitmentColumns = {
  sku: 'the SKU, exactly as the inventory has it',
  year: 'a model year (2014) or a range of them (2014-2018)',
  make: 'such as Toyota; case-insensitive',
  model: 'such as Corolla; case-insensitive',
  submodel: 'a trim, such as LE',
  engine: 'such as 1.8L I4',
  market: 'such as JM or US; empty: any',
  vehicle_id: 'your own id, from 1 to 999999999, for one vehicle of one year',
  positions: 'where it is mounted: Front Left|Front Right',
  quantity: 'how many a vehicle needs',
  notes: 'free text',
  qualifiers: 'further conditions: ABS:with ABS|DOOR:4 doors',
  universal: 'yes: fits every vehicle; year, make and model must be empty',
} as const

export type FitmentColumn = keyof typeof fitmentColumns
export const fitmentColumnNames = Object.keys(fitmentColumns) as FitmentColumn[]

/** The columns of a fitment file. */
export const fitmentCsvColumns: CsvColumns<FitmentColumn> = {
  names: fitmentColumnNames,
  aliases: {
    part_number: 'sku',
    part: 'sku',
    years: 'year',
    trim: 'submodel',
    sub_model: 'submodel',
    region: 'market',
    position: 'positions',
    qty: 'quantity',
    note: 'notes',
    qualifier: 'qualifiers',
    vehicleid: 'vehicle_id',
  },
  findMistake(hasColumn) {
    if (!hasColumn('sku')) return 'the header line has no column sku'
    const missing = (['year', 'make', 'model'] as const).filter((column) => !hasColumn(column))
    if (missing.length === 0 || (missing.length === 3 && hasColumn('universal'))) return null
    return `the header line has no column ${missing.join(', ')}`
  },
}
