import type { FileSummary, ImportReport, InvalidLine } from '../../imports/import-report.ts'
import { quoteValue } from '../../imports/quote-value.ts'
import { formatCountedNoun, formatThousands } from '../format-counts.ts'
import { print, printError, printJson } from '../print.ts'
import { shortenList } from './shorten-list.ts'

/** The texts of one kind of import. */
export interface ImportTexts<Summary extends FileSummary> {
  /** "fitment": the name of the commands. */
  subject: string
  formatCounts(summary: Summary): string
  /** Describes the mistake in a header that is not valid, and its remedy. */
  invalidHeader: { problem: string; remedy: string }
  /** The name of the parts of a file that the import ignores: "columns". */
  unusedNoun: string
  listWarnings?(summary: Summary): string[]
  /** Further members of the report for scripts. */
  toJson?(summary: Summary): object
}

export interface PrintedImport<Summary extends FileSummary> {
  file: string
  options: { merchant: string; mode: string; json?: boolean; skipBad?: boolean }
  texts: ImportTexts<Summary>
  report: ImportReport<Summary>
  /** Why storefronts do not see it yet; `null`: they do. */
  obstacle: string | null
  bad: readonly InvalidLine[]
  /** SKUs that the inventory does not know; `null`: not checked. */
  unknownSkus: string[] | null
}

/** Prints the result of an import and sets the exit code. */
export function printImportReport<Summary extends FileSummary>(printed: PrintedImport<Summary>): void {
  const { options, texts, report, bad, unknownSkus } = printed
  if (report.outcome !== 'imported' && report.outcome !== 'checked') process.exitCode = 1
  if (options.json) printJson({ ...toJsonReport(report, texts), bad, ...(unknownSkus && { unknownSkus }) })
  else printText(printed)
}

function printText<Summary extends FileSummary>(printed: PrintedImport<Summary>): void {
  const { file, options, texts, report, obstacle, unknownSkus } = printed
  for (const warning of listImportWarnings(report, texts, unknownSkus)) printError(warning)
  const name = file === '-' ? 'Standard input' : file
  const counts = texts.formatCounts(report)
  if (report.outcome === 'checked')
    print(`${name} is valid: ${counts}. Nothing was imported.${formatSkippedLines(report)}`)
  if (report.outcome === 'imported') {
    const source = file === '-' ? 'standard input' : file
    print(`Imported ${source} for ${options.merchant} ${options.mode}: ${counts}.${formatSkippedLines(report)}`)
    if (obstacle !== null) printError(obstacle)
  }
  if (report.outcome === 'overtaken')
    printError(`Nothing was imported: another ${texts.subject} import, or ${texts.subject} clear, finished first.`)
  if (report.outcome === 'refused') printError(formatRefusal(name, report, texts, options.skipBad ?? false))
}

/** The report for scripts: these member names are a contract. */
const toJsonReport = <Summary extends FileSummary>(
  report: ImportReport<Summary>,
  { toJson }: ImportTexts<Summary>,
) => ({
  outcome: report.outcome,
  headed: report.hasHeader,
  whole: report.isComplete,
  lines: report.lines,
  badLines: report.badLines,
  doubled: report.duplicateLines,
  unknownColumns: report.unused,
  ...toJson?.(report),
})

const formatSkippedLines = ({ badLines, lines }: FileSummary): string =>
  badLines > 0 ? ` Skipped ${formatCountedNoun(badLines, 'bad line')} of ${formatThousands(lines)}.` : ''

function formatRefusal<Summary extends FileSummary>(
  name: string,
  { hasHeader, isComplete, badLines, lines }: FileSummary,
  { invalidHeader }: ImportTexts<Summary>,
  skipBad: boolean,
): string {
  if (!hasHeader) return `${name} ${invalidHeader.problem}: nothing was imported. ${invalidHeader.remedy}`
  const reason = badLines > 0 ? `${name} has ${formatCountedNoun(badLines, 'bad line')}` : `${name} has no lines`
  const hasValidLines = badLines > 0 && isComplete && !skipBad && lines > badLines
  return `${reason}: nothing was imported.${hasValidLines ? ' --skip-bad imports the valid lines.' : ''}`
}

function listImportWarnings<Summary extends FileSummary>(
  report: ImportReport<Summary>,
  { unusedNoun, listWarnings }: ImportTexts<Summary>,
  unknownSkus: string[] | null,
): string[] {
  const warnings: string[] = []
  if (report.unused.length > 0) warnings.push(`Ignored ${unusedNoun}: ${shortenList(report.unused.map(quoteValue))}`)
  if (report.duplicateLines > 0) warnings.push(`${formatCountedNoun(report.duplicateLines, 'duplicate line')}.`)
  warnings.push(...(listWarnings?.(report) ?? []))
  if (unknownSkus?.length)
    warnings.push(
      `${formatCountedNoun(unknownSkus.length, 'SKU')} missing in the inventory; storefronts do not see them: ${shortenList(unknownSkus)}`,
    )
  return warnings
}
