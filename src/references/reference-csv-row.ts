import { formatCsvLine } from '../imports/format-csv-line.ts'
import type { ReferenceExportRow } from '../storage/references/reference-export-queries.ts'
import { referenceColumnNames } from './reference-columns.ts'

export const referenceCsvHeaderLine = formatCsvLine(referenceColumnNames)

/** Formats a row so that an import reads the same row. */
export const toReferenceCsvRow = ({ sku, brand, number, kind, customer_id }: ReferenceExportRow): string =>
  formatCsvLine([sku, brand, number, kind, customer_id])
