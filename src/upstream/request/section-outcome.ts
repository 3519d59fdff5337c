import type { UpstreamFailure } from '../../errors.ts'
import type { SourceName } from '../../ports/system.ts'

/** The result of filling a section. */
export interface SectionOutcome {
  /** `ok`, or how its system failed. */
  outcome: 'ok' | UpstreamFailure
  /** The system that fills it; `null`: none. */
  system: SourceName | null
  /** Its code in `errors[]`; `null`: it has no error. */
  code: string | null
  /** When its last-good value was true, in milliseconds since the epoch; `null`: it holds none. */
  staleAsOf: number | null
  /** The reason of its failure, in our own words. */
  cause: string | null
  /** How its system failed, if it did: see `failureKind`. */
  kind?: string
  /** X-Sandbox-Fault requested the failure. */
  simulated: boolean
  /** The catalog mirror has filled it, at least in part. */
  mirrored?: true
}
