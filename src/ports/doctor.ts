import type { Call } from './call.ts'
import type { PortName } from './system.ts'

/** A problem or a note about a system, with its remedy. Neither text contains a secret. */
export interface DoctorFinding {
  /** The name of the check: `module`, `right`, `duplicate_sku`. */
  check: string
  /** `error`: something does not work. `warning`: something may not work. `note`: information. */
  severity: 'error' | 'warning' | 'note'
  finding: string
  /** `{path}` is replaced by the system's path in the configuration. Empty: nothing to do. */
  remedy: string
  /** The system cannot be called until this is fixed. */
  blocks?: boolean
}

/** The scope of an examination, and its calls: each call has its own deadline. */
export interface ExaminationScope {
  /** The ports that the merchant uses of this system. */
  systems: readonly PortName[]
  call(): Call
}
