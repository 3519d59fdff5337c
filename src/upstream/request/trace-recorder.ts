import type { UpstreamFailure } from '../../errors.ts'
import type { TraceContext } from '../../ports/call.ts'
import type { SourceName } from '../../ports/system.ts'
import type { CallTrace } from './call-trace.ts'

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

/** Records one call in a trace. */
export interface CallRecorder {
  /** Sent along with the call. */
  readonly context: TraceContext
  /** The call is sent again, because of this. */
  retried?(cause: string): void
  /** The call has ended; its CallTrace has the result. */
  ended?(): void
}

/** Records the calls and sections of a request in its trace. */
export interface TraceRecorder {
  call(call: CallTrace): CallRecorder
  /** Begins a section. The returned function ends it; `null`: it was abandoned. */
  section?(name: string): (end: SectionOutcome | null) => void
}
