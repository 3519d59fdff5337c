import { formatCsvLine } from '../imports/format-csv-line.ts'
import { fitmentCsvHeaderLine } from './fitment-csv-row.ts'

/** A file of examples, which an import accepts. */
export const fitmentCsvTemplate = [
  fitmentCsvHeaderLine,
  formatCsvLine([
    'BRK-1001',
    '2014-2018',
    'Toyota',
    'Corolla',
    'LE',
    '1.8L I4',
    'JM',
    '',
    'Front Left|Front Right',
    '2',
    'Not for the hatchback',
    'ABS:with ABS',
    '',
  ]),
  formatCsvLine(['OIL-5W30-1L', '', '', '', '', '', '', '', '', '', '', '', 'yes']),
].join('\n')
