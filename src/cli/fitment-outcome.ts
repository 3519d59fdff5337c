import type { BadLine, ImportReport } from '../fitment/report.ts'
import { counted, grouped } from './fitment.ts'
import { print, printError, printJson } from './print.ts'

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
  const left = badCount > 0 ? ` ${grouped(badCount)} bad lines of ${grouped(lines)} were left out.` : ''
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
  if (outcome !== 'refused') return
  const what = badCount > 0 ? `${name} has ${grouped(badCount)} bad lines` : `${name} has no lines`
  printError(
    `${what}: nothing was imported.${badCount > 0 && !options.skipBad ? ' --skip-bad imports the others.' : ''}`,
  )
}

const EXAMPLES = 10

function warn({ unknownColumns, crowded, doubled }: ImportReport, unknown: string[] | null): void {
  if (unknownColumns.length > 0) printError(`Columns that are not read: ${unknownColumns.join(', ')}`)
  if (doubled > 0) printError(`${grouped(doubled)} lines said again what others had said.`)
  for (const { vehicle, parts } of crowded.slice(0, 1))
    printError(
      `${grouped(crowded.length)} vehicles have too many parts to show them all, as ${vehicle} with ${grouped(parts)}.`,
    )
  if (!unknown?.length) return
  const examples = unknown.slice(0, EXAMPLES).join(', ')
  printError(
    `${grouped(unknown.length)} SKUs are not in the inventory, and are not shown: ${examples}${unknown.length > EXAMPLES ? ' …' : ''}`,
  )
}
