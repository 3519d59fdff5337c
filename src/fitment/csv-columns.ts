export const fitmentColumns = {
  sku: 'the SKU, exactly as the inventory has it',
  year: 'a model year (2014) or a range of them (2014-2018)',
  make: 'as Toyota; whatever its case',
  model: 'as Corolla; whatever its case',
  submodel: 'a trim, as LE',
  engine: 'as 1.8L I4',
  market: 'as JM or US; empty: any',
  vehicle_id: 'an id of your own, from 1 to 999999999, of one vehicle of one year',
  positions: 'where it goes: Front Left|Front Right',
  quantity: 'how many a vehicle takes',
  notes: 'for people',
  qualifiers: 'what must hold beside: ABS:with ABS|DOOR:4 doors',
  universal: 'yes: it fits every vehicle; then year, make and model are empty',
} as const

export type FitmentColumn = keyof typeof fitmentColumns
export const fitmentColumnNames = Object.keys(fitmentColumns) as FitmentColumn[]

/** What other programs call them. */
const aliases: Readonly<Record<string, FitmentColumn>> = {
  ...{ part_number: 'sku', part: 'sku', years: 'year', trim: 'submodel', sub_model: 'submodel', region: 'market' },
  ...{ position: 'positions', qty: 'quantity', note: 'notes', qualifier: 'qualifiers', vehicleid: 'vehicle_id' },
}

export interface CsvHeader {
  /** Where each column is. */
  at: Partial<Record<FitmentColumn, number>>
  width: number
  unknown: string[]
  /** Why the file cannot be read; `null`: it can. */
  mistake: string | null
}

/** The head line, whatever its case and order. */
export function parseCsvHeader(cells: readonly string[]): CsvHeader {
  const at: Partial<Record<FitmentColumn, number>> = {}
  const unknown: string[] = []
  const doubled: string[] = []
  for (const [index, cell] of cells.entries()) {
    const column = columnNamed(cell)
    if (column === undefined) unknown.push(cell.trim() || `(column ${index + 1})`)
    else if (at[column] !== undefined) doubled.push(column)
    else at[column] = index
  }
  return { at, width: cells.length, unknown, mistake: mistakeIn(at, doubled) }
}

function columnNamed(cell: string): FitmentColumn | undefined {
  const name = cell
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  if (Object.hasOwn(fitmentColumns, name)) return name as FitmentColumn
  return Object.hasOwn(aliases, name) ? aliases[name] : undefined
}

function mistakeIn(at: CsvHeader['at'], doubled: readonly string[]): string | null {
  if (doubled.length > 0) return `the head line names ${doubled.join(', ')} twice`
  const isThere = (column: FitmentColumn) => at[column] !== undefined
  if (!isThere('sku')) return 'the head line has no column sku'
  const lacking = (['year', 'make', 'model'] as const).filter((column) => !isThere(column))
  if (lacking.length === 0 || (lacking.length === 3 && isThere('universal'))) return null
  return `the head line has no column ${lacking.join(', ')}`
}
