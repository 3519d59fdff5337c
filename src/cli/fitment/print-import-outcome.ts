import { quoted } from '../../fitment/csv-fields.ts'
import type { BadLine, ImportReport } from '../../fitment/import-report.ts'
import { counted, grouped, many } from './fitment-commands.ts'
import { print, printError, printJson } from '../print.ts'

export interface Outcome {
  file: string
  options: { merchant: string; mode: string; json?: boolean; skipBad?: boolean }
  /** The name of the configuration. */
  configuration: string
  /** Whether it says that what is imported is shown. */
  shown: boolean
  report: ImportReport
  bad: readonly BadLine[]
  /** SKUs that the inventory does not know; `null`: it was not asked. */
  unknown: string[] | null
}

/** Says what came of an import. */
export function tellOutcome({ file, options, configuration, shown, report, bad, unknown }: Outcome): void {
  const { outcome, badLines: badCount, lines } = report
  const done = outcome === 'imported' || outcome === 'checked'
  if (!done) process.exitCode = 1
  if (options.json) {
    printJson({ ...report, bad, ...(unknown && { unknownSkus: unknown }) })
    return
  }
  warn(report, unknown)
  const were = badCount === 1 ? 'was' : 'were'
  const left = badCount > 0 ? ` ${many(badCount, 'bad line')} of ${grouped(lines)} ${were} left out.` : ''
  const name = file === '-' ? 'Standard input' : file
  if (outcome === 'checked') print(`${name} is well: ${counted(report.counts)}. Nothing was imported.${left}`)
  if (outcome === 'imported') {
    print(`${name} is imported for ${options.merchant} ${options.mode}: ${counted(report.counts)}.${left}`)
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

function refusal(name: string, { headed, whole, badLines, counts }: ImportReport, skipBad: boolean): string {
  if (!headed) return `${name} has no head line that can be read: nothing was imported. ${NEEDED}`
  const what = badLines > 0 ? `${name} has ${many(badLines, 'bad line')}` : `${name} has no lines`
  const others = badLines > 0 && whole && !skipBad && counts.fitments + counts.universal > 0
  return `${what}: nothing was imported.${others ? ' --skip-bad imports the others.' : ''}`
}

const EXAMPLES = 10
const some = (names: readonly string[]) =>
  `${names.slice(0, EXAMPLES).join(', ')}${names.length > EXAMPLES ? ' …' : ''}`

function warn({ unknownColumns, crowded, doubled }: ImportReport, unknown: string[] | null): void {
  if (unknownColumns.length > 0) printError(`Columns that are not read: ${some(unknownColumns.map(quoted))}`)
  if (doubled > 0) printError(`${many(doubled, 'line')} said again what others had said.`)
  for (const { vehicle, parts } of crowded.slice(0, 1)) {
    const have = `${many(crowded.length, 'vehicle')} ${crowded.length === 1 ? 'has' : 'have'}`
    printError(`${have} too many parts to show them all, as ${vehicle} with ${grouped(parts)}.`)
  }
  if (!unknown?.length) return
  const are = `${many(unknown.length, 'SKU')} ${unknown.length === 1 ? 'is' : 'are'}`
  printError(`${are} not in the inventory, and not shown: ${some(unknown)}`)
}
