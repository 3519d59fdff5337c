import { ImportFieldError, ImportReadError } from './import-errors.ts'

/** The columns of a kind of CSV file. */
export interface CsvColumns<Column extends string> {
  names: readonly Column[]
  /** Column names of other programs. */
  aliases: Readonly<Record<string, Column>>
  /** Columns that every file has, so that its header line can be recognized. */
  findMistake(hasColumn: (column: Column) => boolean): string | null
}

export interface CsvHeader<Column extends string> {
  /** The index of each column. */
  columns: Partial<Record<Column, number>>
  width: number
  unknown: string[]
}

/** Parses the header line. Column names are case-insensitive, in any order. Throws ImportReadError. */
export function parseCsvHeader<Column extends string>(
  { names, aliases, findMistake }: CsvColumns<Column>,
  { line, cells }: { line: number; cells: readonly string[] },
): CsvHeader<Column> {
  const columns: Partial<Record<Column, number>> = {}
  const unknown: string[] = []
  const duplicates: string[] = []
  for (const [index, cell] of cells.entries()) {
    const column = findColumn(cell)
    if (column === undefined) unknown.push(cell.trim() || `(column ${index + 1})`)
    else if (columns[column] !== undefined) duplicates.push(column)
    else columns[column] = index
  }
  const mistake =
    duplicates.length > 0
      ? `the header line has ${duplicates.join(', ')} twice`
      : findMistake((column) => columns[column] !== undefined)
  if (mistake !== null) throw new ImportReadError(line, mistake)
  return { columns, width: cells.length, unknown }

  function findColumn(cell: string): Column | undefined {
    const name = cell
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_')
    if (names.includes(name as Column)) return name as Column
    return Object.hasOwn(aliases, name) ? aliases[name] : undefined
  }
}

/** Returns the cells of a line by column. Throws ImportFieldError when the line does not have the header's width. */
export function toCellReader<Column extends string>(
  cells: readonly string[],
  { columns, width }: CsvHeader<Column>,
): (column: Column) => string {
  if (cells.length !== width) throw new ImportFieldError(`has ${cells.length} fields, but the header line has ${width}`)
  return (column) => cells[columns[column] ?? -1] ?? ''
}
