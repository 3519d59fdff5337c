import { type CsvColumns, type CsvHeader, parseCsvHeader, toCellReader } from './csv-header.ts'
import { readCsvRecords } from './csv-reader.ts'
import type { FileFormat } from './file-format.ts'
import { ImportReadError } from './import-errors.ts'

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
