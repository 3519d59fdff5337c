import { type CsvColumns, type CsvHeader, parseCsvHeader, toCellReader } from './csv-header.ts'
import { readCsvRecords } from './csv-reader.ts'
import { ImportReadError } from './import-errors.ts'

/** One record of a file: a line of CSV, or an element of XML. */
export interface FileRecord<Item> {
  /** The line where the record starts, from 1. */
  line: number
  /** Throws ImportFieldError. */
  parse(): Item
}

/** Reads the records of one file. */
export interface FileFormat<Item> {
  /** Throws ImportReadError when the file cannot be read any further. */
  read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<FileRecord<Item>>
  /** True when the header of the file was valid. */
  readonly hasHeader: boolean
  /** Columns or elements that the import does not use. */
  readonly unused: readonly string[]
}

/** A CSV file with a header line. */
export function createCsvFormat<Column extends string, Item>(
  columns: CsvColumns<Column>,
  parseCells: (cell: (column: Column) => string) => Item,
): FileFormat<Item> {
  let header: CsvHeader<Column> | undefined
  return {
    async *read(bytes) {
      for await (const record of readCsvRecords(bytes)) {
        const known = header
        if (known) yield { line: record.line, parse: () => parseCells(toCellReader(record.cells, known)) }
        else header = parseCsvHeader(columns, record)
      }
      if (!header) throw new ImportReadError(1, 'the file is empty')
    },
    get hasHeader() {
      return header !== undefined
    },
    get unused() {
      return header?.unknown ?? []
    },
  }
}
