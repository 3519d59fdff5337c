import type { Mode } from '../config.ts'
import type { Finding } from '../ports/adapter.ts'
import type { Source } from '../ports/system.ts'

/**
 * What came of one operation. `not offered`: the system has nothing of the kind; `not tried`: it writes, or nothing is known to ask
 * it with.
 */
export type Result = 'ok' | 'slow' | 'warning' | 'failed' | 'not offered' | 'not tried'

export interface OperationRow {
  system: Source
  operation: string
  result: Result
  /** Milliseconds of the first answer, and the median of those after it. */
  latency: { cold: number; warm: number | null } | null
  /** What a storefront's request waits for this system at the most. */
  limitMs: number
  finding: string | null
  remedy: string | null
}

export interface Found extends Finding {
  systems: readonly Source[]
}

/** All that is known of one merchant's systems in one mode. */
export interface Diagnosis {
  merchant: string
  mode: Mode
  operations: OperationRow[]
  findings: Found[]
  /** Whether everything was looked at. */
  finished: boolean
}

export interface Judgement {
  errors: number
  warnings: number
  notes: number
}

export function judgementOf(diagnoses: readonly Diagnosis[]): Judgement {
  const count = { errors: 0, warnings: 0, notes: 0 }
  for (const { operations, findings } of diagnoses) {
    for (const { result } of operations) {
      if (result === 'failed') count.errors += 1
      if (result === 'slow' || result === 'warning') count.warnings += 1
    }
    for (const { severity } of findings) count[`${severity}s`] += 1
  }
  return count
}
