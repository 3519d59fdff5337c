import type { Diagnosis, OperationRow, SystemFinding } from '../../doctor/diagnosis.ts'
import { type DiagnosisSummary, isRepeatedFinding, summarizeDiagnoses } from '../../doctor/summarize-diagnoses.ts'
import type { DoctorFinding } from '../../ports/doctor.ts'
import { systems } from '../../ports/system.ts'
import { formatCountedNoun } from '../format-counts.ts'
import { print, printJson } from '../print.ts'
import { printTable } from '../table.ts'

const DEFAULT_WIDTH = 110
const FINDING_HEADING = 'FINDING AND REMEDY'

/** Prints the findings of the installation, the operations and findings of each merchant and mode, then a summary. */
export function printDoctorReport(
  diagnoses: readonly Diagnosis[],
  installation: readonly DoctorFinding[],
  width = process.stdout.columns ?? DEFAULT_WIDTH,
): void {
  if (installation.length > 0) {
    print('this installation\n')
    const cells = installation.map((finding) => [finding.severity, formatFinding(finding)])
    printTable(['SEVERITY', FINDING_HEADING], cells, width)
    print()
  }
  for (const { merchant, mode, operations, findings } of diagnoses) {
    print(`${merchant}, ${mode}\n`)
    if (operations.length > 0)
      printTable(
        ['SYSTEM', 'OPERATION', 'RESULT', 'COLD', 'WARM', FINDING_HEADING],
        operations.map(operationCells),
        width,
      )
    if (findings.length > 0) {
      print()
      printTable(['SEVERITY', 'SYSTEM', FINDING_HEADING], findings.toSorted(bySeverity).map(findingCells), width)
    }
    print()
  }
  print(formatSummary(summarizeDiagnoses(diagnoses, installation), isComplete(diagnoses)))
}

const isComplete = (diagnoses: readonly Diagnosis[]) => diagnoses.every(({ finished }) => finished)

function operationCells(row: OperationRow, index: number, rows: readonly OperationRow[]): string[] {
  const { system, operation, result, latency } = row
  const finding = isRepeatedFinding(rows, index) ? 'as above' : formatFinding(row)
  return [system, operation, result, formatMs(latency?.cold), formatMs(latency?.warm), finding]
}

const findingCells = (finding: SystemFinding) => [
  finding.severity,
  finding.systems.length === systems.length ? 'all' : finding.systems.join(', '),
  formatFinding(finding),
]

const formatFinding = ({ finding, remedy }: { finding: string | null; remedy: string | null }) =>
  [finding, remedy && `→ ${remedy}`].filter(Boolean).join('\n')

const formatMs = (value: number | null | undefined) => (value === null || value === undefined ? '' : `${value} ms`)

const severityRanks: Record<SystemFinding['severity'], number> = { error: 0, warning: 1, note: 2 }
const bySeverity = (a: SystemFinding, b: SystemFinding) => severityRanks[a.severity] - severityRanks[b.severity]

function formatSummary(summary: DiagnosisSummary, complete: boolean): string {
  const { errors, warnings, notes, failedOperations } = summary
  const failed = failedOperations > 0 ? ` (${formatCountedNoun(failedOperations, 'operation')} failed)` : ''
  const counts = `${formatCountedNoun(errors, 'error')}${failed}, ${formatCountedNoun(warnings, 'warning')}, ${formatCountedNoun(notes, 'note')}.`
  const conclusion = errors > 0 ? 'Errors found' : warnings > 0 ? 'No errors found' : 'No problems found'
  if (complete) return `${conclusion}: ${counts}`
  return `${conclusion} so far: ${counts} The check is incomplete: give it more time with --within <seconds>.`
}

/** Prints the report for scripts. Members are added over time and never removed. */
export function printDoctorReportAsJson(diagnoses: readonly Diagnosis[], installation: readonly DoctorFinding[]): void {
  const { errors, warnings, notes, failedOperations } = summarizeDiagnoses(diagnoses, installation)
  printJson({
    well: errors === 0 && isComplete(diagnoses),
    errors,
    warnings,
    notes,
    failed_operations: failedOperations,
    finished: isComplete(diagnoses),
    installation: installation.map(({ severity, check, finding, remedy }) => ({ severity, check, finding, remedy })),
    merchants: diagnoses.map(({ merchant, mode, finished, operations, findings }) => ({
      merchant,
      mode,
      finished,
      operations: operations.map(({ system, operation, result, latency, limitMs, finding, remedy }) => ({
        system,
        operation,
        result,
        latency_ms: latency,
        limit_ms: limitMs,
        finding,
        remedy,
      })),
      findings: findings
        .toSorted(bySeverity)
        .map(({ severity, check, systems, finding, remedy }) => ({ severity, check, systems, finding, remedy })),
    })),
  })
}
