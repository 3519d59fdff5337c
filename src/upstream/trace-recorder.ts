import type { UpstreamFailure } from '../errors.ts'
import type { TraceContext } from '../ports/call.ts'
import type { PortName } from '../ports/system.ts'
import type { CallTrace } from './call-trace.ts'

/** How a section went, by its end. */
export interface SectionOutcome {
  /** `ok`, or why its system did not give it. */
  outcome: 'ok' | UpstreamFailure
  /** Whose it is; `null`: of no system. */
  system: PortName | null
  /** As `errors[]` names it; `null` when it is well. */
  code: string | null
  /** Filled from what was last good, of that time (milliseconds since the epoch). */
  staleAsOf: number | null
  /** Of its failure, in words of our own. */
  cause: string | null
  /** The failure was asked for by X-Sandbox-Fault. */
  simulated: boolean
}

/** One call's part of a trace. */
export interface CallRecorder {
  /** Goes with the call. */
  readonly context: TraceContext
  /** It is asked once more. */
  retried?(cause: string): void
  /** Its CallTrace says how it went. */
  ended?(): void
}

/** The trace that a request belongs to, as the calls that are made for it see it. */
export interface TraceRecorder {
  call(call: CallTrace): CallRecorder
  /** Begins a section. What it gives is told how that went; `null`: it was given up. */
  section?(name: string): (end: SectionOutcome | null) => void
}

/** For whom a question is asked: of several who share it, the one that asked first. */
export interface Caller {
  readonly requestId: string
  /** Left out: nobody follows it. */
  readonly recorder?: TraceRecorder | undefined
}
