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

/** Column names of other programs. */
const aliases: Readonly<Record<string, FitmentColumn>> = {
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
}

export interface CsvHeader {
  /** The index of each column. */
  columns: Partial<Record<FitmentColumn, number>>
  width: number
  unknown: string[]
  /** The reason why the file cannot be read, or `null`. */
  mistake: string | null
}

/** Parses the header line. Column names are case-insensitive, in any order. */
export function parseCsvHeader(cells: readonly string[]): CsvHeader {
  const columns: Partial<Record<FitmentColumn, number>> = {}
  const unknown: string[] = []
  const duplicates: string[] = []
  for (const [index, cell] of cells.entries()) {
    const column = findColumn(cell)
    if (column === undefined) unknown.push(cell.trim() || `(column ${index + 1})`)
    else if (columns[column] !== undefined) duplicates.push(column)
    else columns[column] = index
  }
  return { columns, width: cells.length, unknown, mistake: findMistake(columns, duplicates) }
}

function findColumn(cell: string): FitmentColumn | undefined {
  const name = cell
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  if (Object.hasOwn(fitmentColumns, name)) return name as FitmentColumn
  return Object.hasOwn(aliases, name) ? aliases[name] : undefined
}

function findMistake(columns: CsvHeader['columns'], duplicates: readonly string[]): string | null {
  if (duplicates.length > 0) return `the header line has ${duplicates.join(', ')} twice`
  const hasColumn = (column: FitmentColumn) => columns[column] !== undefined
  if (!hasColumn('sku')) return 'the header line has no column sku'
  const missing = (['year', 'make', 'model'] as const).filter((column) => !hasColumn(column))
  if (missing.length === 0 || (missing.length === 3 && hasColumn('universal'))) return null
  return `the header line has no column ${missing.join(', ')}`
}
