import { formatCsvLine } from '../imports/format-csv-line.ts'
import { referenceCsvHeaderLine } from './reference-csv-row.ts'

/** A file of examples, which an import accepts. */
export const referenceCsvTemplate = [
  referenceCsvHeaderLine,
  formatCsvLine(['BRK-1001', 'Toyota', '04465-02220', 'OEM', '']),
  formatCsvLine(['BRK-1001', 'Bosch', '0 986 494 153', 'CROSS', '']),
  formatCsvLine(['BRK-1001', '', 'BRK-0991', 'SUPERSEDES', '']),
  formatCsvLine(['BRK-1001', '', 'GARAGE-17', 'CUSTOMER', 'C-1001']),
].join('\n')
