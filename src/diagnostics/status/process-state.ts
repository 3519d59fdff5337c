import type { Mode } from '../../tenant.ts'
import type { FailureEvidence } from './failure-evidence.ts'

/** The state of one process in the last minute. It is stored as JSON, and read by the consoles of all processes: renaming a member changes the format. */
export interface ProcessState {
  process: string
  /** Milliseconds since the epoch. */
  at: number
  /** Tenants with a request or a call in the last minute, or with an open circuit. */
  owners: TenantState[]
  /** What the process sees failing; absent: an earlier release wrote the state. */
  failing?: FailureEvidence
}

export interface TenantState {
  tenant: string
  mode: Mode
  /** All responses, cached or not. */
  answers: number
  degraded: number
  systems: SystemState[]
  shown: SectionImpact[]
}

export interface SystemState {
  system: string
  /** State of the circuit as of its last call; half-open counts as open. */
  open: boolean
  /** It is half-open. Absent: it is not, or an earlier release wrote the state. */
  halfOpen?: boolean
  calls: number
  failed: number
  /** Counts of calls that were sent, by bucket of LATENCY_BOUNDS_MS; the last bucket is above all bounds. */
  latency: number[]
}

/** How a section of a route was degraded. */
export interface SectionImpact {
  route: string
  section: string
  system: string
  /** Responses that failed with the section. */
  refused: number
  /** Responses without the section, or without some of its rows. */
  missing: number
  /** Responses with a last-good value of the section. */
  stale: number
  /** Time of the oldest last-good value (milliseconds since the epoch); `null` when unknown. */
  oldestAsOf: number | null
}
