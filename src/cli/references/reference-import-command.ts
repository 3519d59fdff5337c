import { forecourtCommand } from '../../forecourt-command.ts'
import { createReferenceCsvFormat, importReferences } from '../../references/import-references.ts'
import type { ReferenceSummary } from '../../references/reference-file-parser.ts'
import type { ImportTexts } from '../imports/print-import-report.ts'
import { type FileImportOptions, runFileImport } from '../imports/run-file-import.ts'
import { formatReferenceCounts } from './reference-commands.ts'

/** Imports a file of references and prints the result. */
export async function runReferenceImport(file: string, options: FileImportOptions): Promise<void> {
  const format = createReferenceCsvFormat()
  await runFileImport(file, options, {
    texts,
    importInto: (parts, input) => importReferences(parts, { ...input, format }),
  })
}

const texts: ImportTexts<ReferenceSummary> = {
  subject: 'references',
  formatCounts: ({ counts }) => formatReferenceCounts(counts),
  headerHint: `It needs the columns sku, number and kind; ${forecourtCommand} references template prints an example.`,
  toJson: ({ counts }) => ({ counts }),
}
