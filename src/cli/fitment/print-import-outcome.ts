import { quoteValue } from '../../fitment/csv-fields.ts'
import type { ImportReport, InvalidLine } from '../../fitment/import-report.ts'
import { forecourtCommand } from '../../forecourt-command.ts'
import { print, printError, printJson } from '../print.ts'
import { formatCountedNoun, formatFitmentCounts, formatThousands } from './fitment-text.ts'

export interface ImportOutcome {
  file: string
  options: { merchant: string; mode: string; json?: boolean; skipBad?: boolean }
  /** The name of the configuration. */
  configuration: string
  /** Storefronts read imported fitment: the configuration says so. */
  isShown: boolean
  report: ImportReport
  bad: readonly InvalidLine[]
  /** SKUs that the inventory does not know; `null`: not checked. */
  unknownSkus: string[] | null
}

/** Prints the result of an import and sets the exit code. */
export function printImportOutcome(result: ImportOutcome): void {
  const { file, options, configuration, isShown, report, bad, unknownSkus } = result
  if (report.outcome !== 'imported' && report.outcome !== 'checked') process.exitCode = 1
  if (options.json) {
    printJson({ ...toJsonReport(report), bad, ...(unknownSkus && { unknownSkus }) })
    return
  }
  printWarnings(report, unknownSkus)
  const name = file === '-' ? 'Standard input' : file
  const counts = formatFitmentCounts(report.counts)
  if (report.outcome === 'checked')
    print(`${name} is valid: ${counts}. Nothing was imported.${formatSkippedLines(report)}`)
  if (report.outcome === 'imported') {
    print(
      `Imported ${file === '-' ? 'standard input' : file} for ${options.merchant} ${options.mode}: ${counts}.${formatSkippedLines(report)}`,
    )
    if (!isShown)
      printError(
        `Storefronts do not see it yet: ${configuration} does not have fitment: imported. See docs/fitment.md.`,
      )
  }
  if (report.outcome === 'overtaken')
    printError('Nothing was imported: another fitment import, or fitment clear, finished first.')
  if (report.outcome === 'refused') printError(formatRefusal(name, report, options.skipBad ?? false))
}

/** The report for scripts: these member names are a contract. */
const toJsonReport = (report: ImportReport) => ({
  outcome: report.outcome,
  headed: report.hasHeader,
  whole: report.isComplete,
  lines: report.lines,
  badLines: report.badLines,
  doubled: report.duplicateLines,
  counts: report.counts,
  unknownColumns: report.unknownColumns,
  crowded: report.oversizedVehicles,
})

const formatSkippedLines = ({ badLines, lines }: ImportReport): string =>
  badLines > 0 ? ` Skipped ${formatCountedNoun(badLines, 'bad line')} of ${formatThousands(lines)}.` : ''

const REQUIRED_COLUMNS = `It needs the columns sku, year, make and model, or sku and universal; ${forecourtCommand} fitment template prints an example.`

function formatRefusal(
  name: string,
  { hasHeader, isComplete, badLines, counts }: ImportReport,
  skipBad: boolean,
): string {
  if (!hasHeader) return `${name} has no valid header line: nothing was imported. ${REQUIRED_COLUMNS}`
  const reason = badLines > 0 ? `${name} has ${formatCountedNoun(badLines, 'bad line')}` : `${name} has no lines`
  const hasValidLines = badLines > 0 && isComplete && !skipBad && counts.fitments + counts.universal > 0
  return `${reason}: nothing was imported.${hasValidLines ? ' --skip-bad imports the valid lines.' : ''}`
}

const EXAMPLES = 10
const formatExamples = (names: readonly string[]) =>
  `${names.slice(0, EXAMPLES).join(', ')}${names.length > EXAMPLES ? ' …' : ''}`

function printWarnings(
  { unknownColumns, oversizedVehicles, duplicateLines }: ImportReport,
  unknownSkus: string[] | null,
): void {
  if (unknownColumns.length > 0) printError(`Ignored columns: ${formatExamples(unknownColumns.map(quoteValue))}`)
  if (duplicateLines > 0) printError(`${formatCountedNoun(duplicateLines, 'duplicate line')}.`)
  const [oversized] = oversizedVehicles
  if (oversized)
    printError(
      `${formatCountedNoun(oversizedVehicles.length, 'vehicle')} with too many parts to show all of them, such as ${oversized.vehicle} with ${formatThousands(oversized.parts)}.`,
    )
  if (unknownSkus?.length)
    printError(
      `${formatCountedNoun(unknownSkus.length, 'SKU')} missing in the inventory; storefronts do not see them: ${formatExamples(unknownSkus)}`,
    )
}
