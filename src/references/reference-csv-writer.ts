import { toCsvLine } from '../imports/format-csv-line.ts'
import type { ReferenceExportRow } from '../storage/references/reference-export-queries.ts'
import { referenceColumnNames } from './reference-columns.ts'

export const referenceCsvHeaderLine = toCsvLine(referenceColumnNames)

/** Formats a row so that an import reads the same row. */
export const toReferenceCsvRow = ({ sku, brand, number, kind, customer_id }: ReferenceExportRow): string =>
  toCsvLine([sku, brand, number, kind, customer_id])

export const referenceCsvTemplate = [
  referenceCsvHeaderLine,
  toCsvLine(['BRK-1001', 'Toyota', '04465-02220', 'OEM', '']),
  toCsvLine(['BRK-1001', 'Bosch', '0 986 494 153', 'CROSS', '']),
  toCsvLine(['BRK-1001', '', 'BRK-0991', 'SUPERSEDES', '']),
  toCsvLine(['BRK-1001', '', 'GARAGE-17', 'CUSTOMER', 'C-1001']),
].join('\n')
