import type { FileSummary } from '../../imports/import-report.ts'
import { forecourtCommand } from '../../installed-command-line.ts'
import type { ImportTexts } from './print-import-report.ts'

type FormatTexts = Pick<ImportTexts<FileSummary>, 'invalidHeader' | 'unusedNoun'>

/** `needs`: the columns; `subject`: the name of the commands. */
export const csvTexts = (needs: string, subject: string): FormatTexts => ({
  invalidHeader: {
    problem: 'has no valid header line',
    remedy: `It needs the columns ${needs}; ${forecourtCommand} ${subject} template prints an example.`,
  },
  unusedNoun: 'columns',
})

export const xmlTexts = (standard: string): FormatTexts => ({
  invalidHeader: { problem: `is not a valid ${standard} file`, remedy: `It needs the root element ${standard}.` },
  unusedNoun: 'elements',
})
