import { formatCsvLine } from '../imports/format-csv-line.ts'
import type { ReferenceExportRow } from '../storage/references/reference-export-queries.ts'
import { referenceColumnNames } from './reference-columns.ts'

export const referenceCsvHeaderLine = formatCsvLine(referenceColumnNames)

/** Formats a row so that an import reads the same row. */
export const toReferenceCsvRow = ({ sku, brand, number, kind, customer_id }: ReferenceExportRow): string =>
  formatCsvLine([sku, brand, number, kind, customer_id])

export const referenceCsvTemplate = [
  referenceCsvHeaderLine,
  formatCsvLine(['BRK-1001', 'Toyota', '04465-02220', 'OEM', '']),
  formatCsvLine(['BRK-1001', 'Bosch', '0 986 494 153', 'CROSS', '']),
  formatCsvLine(['BRK-1001', '', 'BRK-0991', 'SUPERSEDES', '']),
  formatCsvLine(['BRK-1001', '', 'GARAGE-17', 'CUSTOMER', 'C-1001']),
].join('\n')
