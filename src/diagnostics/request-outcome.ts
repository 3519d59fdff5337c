import type { Mode } from '../config/config.ts'
import type { SectionTrace } from '../sections/section.ts'
import type { CallTrace } from '../upstream/call-trace.ts'

/** How one request went: for the access log, the metrics, incidents and its record. Reads from the cache have the first part alone. */
export interface RequestOutcome {
  requestId: string
  mode: Mode
  /** `null`: no key, or none that is known. */
  tenant: string | null
  keyId: string | null
  method: string
  url: string
  /** Its operation; `none`: no route answers that. */
  route: string
  status: number
  ms: number
  /** `hit`, `stale`, `miss`, `bypass` or `none`. */
  cache: string
  /** Of the problem that was answered. */
  code?: string | undefined
  sections?: readonly SectionTrace[] | undefined
  calls?: readonly CallTrace[] | undefined
  /** That it was given, in milliseconds. */
  deadlineMs?: number | undefined
  /** Of the trace that it belongs to: its caller's, or one of ours. */
  traceId?: string | undefined
}
