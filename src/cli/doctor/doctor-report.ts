import {
  type Diagnosis,
  type DiagnosisSummary,
  isRepeatedFinding,
  type OperationRow,
  type SystemFinding,
  summarizeDiagnoses,
} from '../../doctor/diagnosis.ts'
import { systems } from '../../ports/system.ts'
import { print, printJson } from '../print.ts'
import { printTable } from '../table.ts'

const WIDTH = 110
const TELLS = 'WHAT IS WRONG, AND HOW TO MEND IT'

/** The rows of each merchant and mode, what was found beside, and a last line for whoever reads no more. */
export function printDoctorReport(diagnoses: readonly Diagnosis[], width = process.stdout.columns ?? WIDTH): void {
  for (const { merchant, mode, operations, findings } of diagnoses) {
    print(`${merchant}, ${mode}\n`)
    if (operations.length > 0)
      printTable(['SYSTEM', 'OPERATION', 'RESULT', 'COLD', 'WARM', TELLS], operations.map(cells), width)
    if (findings.length > 0) print()
    if (findings.length > 0) printTable(['FOUND', 'IN', TELLS], findings.toSorted(worstFirst).map(foundCells), width)
    print()
  }
  print(lastLine(summarizeDiagnoses(diagnoses), finished(diagnoses)))
}

const finished = (diagnoses: readonly Diagnosis[]) => diagnoses.every((one) => one.finished)

function cells(row: OperationRow, at: number, rows: readonly OperationRow[]): string[] {
  const { system, operation, result, latency } = row
  const tells = isRepeatedFinding(rows, at) ? 'as above' : said(row)
  return [system, operation, result, ms(latency?.cold), ms(latency?.warm), tells]
}

const said = ({ finding, remedy }: { finding: string | null; remedy: string | null }) =>
  [finding, remedy && `→ ${remedy}`].filter(Boolean).join('\n')

const ms = (value: number | null | undefined) => (value === null || value === undefined ? '' : `${value} ms`)

const ranks: Record<SystemFinding['severity'], number> = { error: 0, warning: 1, note: 2 }
const worstFirst = (a: SystemFinding, b: SystemFinding) => ranks[a.severity] - ranks[b.severity]
const foundCells = (found: SystemFinding) => [
  found.severity,
  found.systems.length === systems.length ? 'all' : found.systems.join(', '),
  said(found),
]

function lastLine({ errors, warnings, notes, failedOperations: failed }: DiagnosisSummary, whole: boolean): string {
  const operations = failed > 0 ? ` (${many(failed, 'operation')} failed)` : ''
  const counts = `${many(errors, 'error')}${operations}, ${many(warnings, 'warning')}, ${many(notes, 'note')}.`
  const rest = whole ? '' : ' Not everything was looked at: give it more time with --within <seconds>.'
  if (errors > 0) return `Something must be mended: ${counts}${rest}`
  if (warnings > 0) return `Nothing must be mended${whole ? '' : ' so far'}: ${counts}${rest}`
  return `${whole ? 'All is well' : 'Nothing is wrong so far'}: ${counts}${rest}`
}

const many = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

/** For scripts. Members are added over time, and none is taken away. */
export function printDoctorReportAsJson(diagnoses: readonly Diagnosis[]): void {
  const { failedOperations, ...judgement } = summarizeDiagnoses(diagnoses)
  printJson({
    well: judgement.errors === 0 && finished(diagnoses),
    ...judgement,
    failed_operations: failedOperations,
    finished: finished(diagnoses),
    merchants: diagnoses.map(({ merchant, mode, finished, operations, findings }) => ({
      ...{ merchant, mode, finished },
      operations: operations.map(({ system, operation, result, latency, limitMs, finding, remedy }) => ({
        ...{ system, operation, result, latency_ms: latency, limit_ms: limitMs, finding, remedy },
      })),
      findings: findings
        .toSorted(worstFirst)
        .map(({ severity, check, systems, finding, remedy }) => ({ severity, check, systems, finding, remedy })),
    })),
  })
}
