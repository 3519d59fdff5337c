import type { DoctorFinding } from '../ports/doctor.ts'
import type { Diagnosis, OperationResult, OperationRow, SystemFinding } from './diagnosis.ts'

export interface DiagnosisSummary {
  /** Consecutive operations that fail for one cause are one error, which the findings may list as well. */
  errors: number
  warnings: number
  notes: number
  failedOperations: number
}

/** True when a row repeats the finding of the row before it, for the same system. */
export function isRepeatedFinding(rows: readonly OperationRow[], index: number): boolean {
  const [previous, row] = [rows[index - 1], rows[index]!]
  if (previous === undefined || row.finding === null || previous.system !== row.system) return false
  return previous.finding === row.finding && previous.remedy === row.remedy
}

/** Counts the findings of all merchants, and those of the installation. */
export function summarizeDiagnoses(
  diagnoses: readonly Diagnosis[],
  installation: readonly DoctorFinding[],
): DiagnosisSummary {
  const counts = { errors: 0, warnings: 0, notes: 0, failedOperations: 0 }
  for (const { operations, findings } of diagnoses) {
    for (const [index, { result }] of operations.entries()) {
      if (result === 'failed') counts.failedOperations += 1
      const severity = severityOf(result)
      const isRepeated = isRepeatedFinding(operations, index) && severityOf(operations[index - 1]!.result) === severity
      if (severity && !isRepeated && !isReported(operations[index]!, findings)) counts[severity] += 1
    }
    for (const { severity } of findings) counts[`${severity}s`] += 1
  }
  for (const { severity } of installation) counts[`${severity}s`] += 1
  return counts
}

/** Returns whether a finding about the system already states the failure of its operation. */
const isReported = ({ system, finding }: OperationRow, findings: readonly SystemFinding[]): boolean =>
  findings.some((other) => other.severity === 'error' && other.systems.includes(system) && other.finding === finding)

function severityOf(result: OperationResult): 'errors' | 'warnings' | null {
  if (result === 'failed') return 'errors'
  return result === 'slow' || result === 'warning' ? 'warnings' : null
}
