import { createCsvFormat } from '../imports/csv-format.ts'
import type { FileFormat } from '../imports/file-format.ts'
import { referenceCsvColumns } from './reference-columns.ts'
import type { ReferenceFileRow } from './reference-file-parser.ts'
import { parseReferenceLine } from './reference-line.ts'

/** A file of references in CSV. */
export const createReferenceCsvFormat = (): FileFormat<ReferenceFileRow[]> =>
  createCsvFormat(referenceCsvColumns, (cell) => [parseReferenceLine(cell)])
