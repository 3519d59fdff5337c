import type { TraceContext } from '../../ports/call.ts'
import type { CallTrace } from './call-trace.ts'
import type { SectionOutcome } from './section-outcome.ts'

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
