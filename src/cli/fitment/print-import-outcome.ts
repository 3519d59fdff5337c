import { quoteValue } from '../../fitment/csv-fields.ts'
import type { ImportReport, InvalidLine } from '../../fitment/import-report.ts'
import { print, printError, printJson } from '../print.ts'
import { formatCountedNoun, formatFitmentCounts, formatThousands } from './fitment-commands.ts'

export interface ImportOutcome {
  file: string
  options: { merchant: string; mode: string; json?: boolean; skipBad?: boolean }
  /** The name of the configuration. */
  configuration: string
  /** Whether it says that what is imported is shown. */
  shown: boolean
  report: ImportReport
  bad: readonly InvalidLine[]
  /** SKUs that the inventory does not know; `null`: it was not asked. */
  unknown: string[] | null
}

/** Says what came of an import. */
export function printImportOutcome({ file, options, configuration, shown, report, bad, unknown }: ImportOutcome): void {
  const { outcome, badLines: badCount, lines } = report
  const done = outcome === 'imported' || outcome === 'checked'
  if (!done) process.exitCode = 1
  if (options.json) {
    printJson({ ...report, bad, ...(unknown && { unknownSkus: unknown }) })
    return
  }
  warn(report, unknown)
  const were = badCount === 1 ? 'was' : 'were'
  const left =
    badCount > 0 ? ` ${formatCountedNoun(badCount, 'bad line')} of ${formatThousands(lines)} ${were} left out.` : ''
  const name = file === '-' ? 'Standard input' : file
  if (outcome === 'checked')
    print(`${name} is well: ${formatFitmentCounts(report.counts)}. Nothing was imported.${left}`)
  if (outcome === 'imported') {
    print(`${name} is imported for ${options.merchant} ${options.mode}: ${formatFitmentCounts(report.counts)}.${left}`)
    if (!shown)
      printError(
        `It is kept, but not shown: ${configuration} does not say fitment: imported for it. See docs/fitment.md.`,
      )
  }
  if (outcome === 'overtaken') printError('Another import, or its end, came between: nothing was imported.')
  if (outcome === 'refused') printError(refusal(name, report, options.skipBad ?? false))
}

const NEEDED =
  'It needs the columns sku, year, make and model, or sku and universal; forecourt fitment template prints a head line with examples.'

function refusal(
  name: string,
  { hasHeader: headed, isComplete: whole, badLines, counts }: ImportReport,
  skipBad: boolean,
): string {
  if (!headed) return `${name} has no head line that can be read: nothing was imported. ${NEEDED}`
  const what = badLines > 0 ? `${name} has ${formatCountedNoun(badLines, 'bad line')}` : `${name} has no lines`
  const others = badLines > 0 && whole && !skipBad && counts.fitments + counts.universal > 0
  return `${what}: nothing was imported.${others ? ' --skip-bad imports the others.' : ''}`
}

const EXAMPLES = 10
const some = (names: readonly string[]) =>
  `${names.slice(0, EXAMPLES).join(', ')}${names.length > EXAMPLES ? ' …' : ''}`

function warn(
  { unknownColumns, oversizedVehicles: crowded, duplicateLines: doubled }: ImportReport,
  unknown: string[] | null,
): void {
  if (unknownColumns.length > 0) printError(`Columns that are not read: ${some(unknownColumns.map(quoteValue))}`)
  if (doubled > 0) printError(`${formatCountedNoun(doubled, 'line')} said again what others had said.`)
  for (const { vehicle, parts } of crowded.slice(0, 1)) {
    const have = `${formatCountedNoun(crowded.length, 'vehicle')} ${crowded.length === 1 ? 'has' : 'have'}`
    printError(`${have} too many parts to show them all, as ${vehicle} with ${formatThousands(parts)}.`)
  }
  if (!unknown?.length) return
  const are = `${formatCountedNoun(unknown.length, 'SKU')} ${unknown.length === 1 ? 'is' : 'are'}`
  printError(`${are} not in the inventory, and not shown: ${some(unknown)}`)
}
