import type { DoctorFinding } from '../ports/doctor.ts'
import type { PortName } from '../ports/system.ts'
import type { Tenant } from '../tenant.ts'

/**
 * The result of one operation. `not offered`: the adapter or the system does not have it. `not tried`: it writes, or an input for
 * it is missing.
 */
export type OperationResult = 'ok' | 'slow' | 'warning' | 'failed' | 'not offered' | 'not tried'

export interface OperationRow {
  system: PortName
  operation: string
  result: OperationResult
  /** Milliseconds of the first response, and the median of those after it. */
  latency: { cold: number; warm: number | null } | null
  /** The longest that a storefront's request waits for this operation. */
  limitMs: number
  finding: string | null
  remedy: string | null
}

export interface SystemFinding extends DoctorFinding {
  systems: readonly PortName[]
}

/** The report on one merchant's systems in one mode. */
export interface Diagnosis extends Tenant {
  operations: OperationRow[]
  findings: SystemFinding[]
  /** False when the diagnosis was stopped early. */
  finished: boolean
}
