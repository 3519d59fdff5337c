import { UpstreamError, type UpstreamFailure } from '../../errors.ts'
import type { CircuitName } from '../../ports/circuit-name.ts'
import type { SourceName } from '../../ports/system.ts'
import { failureCause } from './failure-cause.ts'
import type { CallRecorder, TraceRecorder } from './trace-recorder.ts'

/** One call to one system, for logs and diagnostics. Several requests may share a call, and one request may make several. */
export interface CallTrace {
  system: SourceName
  /** The port's method: `items`, `prices`, `search`, `placeOrder` … */
  operation: string
  /** Its circuit, if that is not the one of the system. */
  circuit?: CircuitName
  /** No request waited for it. */
  background?: boolean
  /** When it was made, in milliseconds since the epoch. */
  at: number
  /** Time in the queue, part of `ms`. */
  queuedMs: number
  /** From the call to its end; `null`: it is in progress. */
  ms: number | null
  /** How often it was sent: 0 if the circuit was open or the queue full, 2 if it was retried. */
  attempts: number
  outcome: 'ok' | UpstreamFailure | 'pending'
  /** The reason of the failure (`responded 503`, `ECONNREFUSED`). It never contains text of the system. */
  cause: string | null
}

export interface TracedCall {
  trace: CallTrace
  /** Its part of the caller's trace. */
  recorder: CallRecorder | undefined
  /** Ends the trace; `null`: the call succeeded. Later calls do nothing. */
  end(error: unknown): void
}

/** Begins the trace of a call. `onCall` receives it when the call has ended. */
export function traceCall(
  system: SourceName,
  operation: string,
  now: () => number,
  onCall: (call: CallTrace) => void,
  traceRecorder?: TraceRecorder,
): TracedCall {
  const trace: CallTrace = {
    system,
    operation,
    at: now(),
    queuedMs: 0,
    ms: null,
    attempts: 0,
    outcome: 'pending',
    cause: null,
  }
  const recorder = traceRecorder?.call(trace)
  const end = (error: unknown) => {
    if (trace.ms !== null) return
    trace.ms = now() - trace.at
    trace.outcome = error === null ? 'ok' : 'error'
    if (error instanceof UpstreamError) {
      error.system ??= system
      trace.outcome = error.failure
      trace.cause = failureCause(error)
    }
    recorder?.ended?.()
    onCall(trace)
  }
  return { trace, recorder, end }
}
