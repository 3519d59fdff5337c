import type { Mode } from '../config/config.ts'
import type { Finding } from '../ports/adapter.ts'
import type { PortName } from '../ports/system.ts'

/**
 * What came of one operation. `not offered`: the system has nothing of the kind; `not tried`: it writes, or nothing is known to ask
 * it with.
 */
export type OperationResult = 'ok' | 'slow' | 'warning' | 'failed' | 'not offered' | 'not tried'

export interface OperationRow {
  system: PortName
  operation: string
  result: OperationResult
  /** Milliseconds of the first answer, and the median of those after it. */
  latency: { cold: number; warm: number | null } | null
  /** What a storefront's request waits for this system at the most. */
  limitMs: number
  finding: string | null
  remedy: string | null
}

export interface SystemFinding extends Finding {
  systems: readonly PortName[]
}

/** All that is known of one merchant's systems in one mode. */
export interface Diagnosis {
  merchant: string
  mode: Mode
  operations: OperationRow[]
  findings: SystemFinding[]
  /** Whether everything was looked at. */
  finished: boolean
}

export interface DiagnosisSummary {
  /** One cause that fails several operations in a row is one error. */
  errors: number
  warnings: number
  notes: number
  failedOperations: number
}

/** Whether a row says what the row before it said of the same system. */
export function isRepeatedFinding(rows: readonly OperationRow[], at: number): boolean {
  const [before, row] = [rows[at - 1], rows[at]!]
  if (before === undefined || row.finding === null || before.system !== row.system) return false
  return before.finding === row.finding && before.remedy === row.remedy
}

export function summarizeDiagnoses(diagnoses: readonly Diagnosis[]): DiagnosisSummary {
  const count = { errors: 0, warnings: 0, notes: 0, failedOperations: 0 }
  for (const { operations, findings } of diagnoses) {
    for (const [at, { result }] of operations.entries()) {
      if (result === 'failed') count.failedOperations += 1
      const severity = severityOf(result)
      const again = isRepeatedFinding(operations, at) && severityOf(operations[at - 1]!.result) === severity
      if (severity && !again) count[severity] += 1
    }
    for (const { severity } of findings) count[`${severity}s`] += 1
  }
  return count
}

function severityOf(result: OperationResult): 'errors' | 'warnings' | null {
  if (result === 'failed') return 'errors'
  return result === 'slow' || result === 'warning' ? 'warnings' : null
}
