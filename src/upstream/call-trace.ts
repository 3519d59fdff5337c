import { UpstreamError, type UpstreamFailure } from '../errors.ts'
import type { PortName } from '../ports/system.ts'
import type { CallRecorder, TraceRecorder } from './trace-recorder.ts'

/** One question to one system, as it is told of afterwards. Several requests may share it, and one request may ask several. */
export interface CallTrace {
  system: PortName
  /** What was asked for: `item`, `price`, `search`, `placeOrder` … */
  operation: string
  /** Nobody waited for it: it may take its time. */
  background?: boolean
  /** Milliseconds since the epoch: when it was asked. */
  at: number
  /** Of its time, in line for a place. */
  queuedMs: number
  /** From asking to the end; `null`: it is under way. */
  ms: number | null
  /** How often it was sent: 0 when the circuit was open or the line full, 2 when it was retried. */
  attempts: number
  outcome: 'ok' | UpstreamFailure | 'pending'
  /** What is known of the failure, in words of our own (`answered 503`, `ECONNREFUSED`): never what the system said. */
  cause: string | null
}

export interface TracedCall {
  trace: CallTrace
  /** Its part of the trace of whoever asked. */
  recorder: CallRecorder | undefined
  /** With `null` it went well; the first word on how it went is the last. */
  end(error: unknown): void
}

/** The trace of a question that is asked now; `onCall` is told of it when it has ended. */
export function traceCall(
  system: PortName,
  operation: string,
  now: () => number,
  onCall: (call: CallTrace) => void,
  asker?: TraceRecorder,
): TracedCall {
  const trace: CallTrace = {
    ...{ system, operation, at: now(), queuedMs: 0, ms: null, attempts: 0 },
    ...{ outcome: 'pending', cause: null },
  }
  const trail = asker?.call(trace)
  const ended = (error: unknown) => {
    if (trace.ms !== null) return
    trace.ms = now() - trace.at
    trace.outcome = error === null ? 'ok' : 'error'
    if (error instanceof UpstreamError) {
      error.system ??= system
      trace.outcome = error.failure
      trace.cause = failureCause(error)
    }
    trail?.ended?.()
    onCall(trace)
  }
  return { trace, recorder: trail, end: ended }
}

const usual: Record<UpstreamFailure, string> = {
  timeout: 'no answer in time',
  unavailable: 'it could not be reached',
  error: 'it answered with an error',
  invalid: 'its answer could not be read',
  rejected: 'it refused the question',
  rate_limited: 'it limits how often it is asked',
  circuit_open: 'its circuit is open: it was not asked',
  overloaded: 'too many calls were waiting for it',
  not_configured: 'it does not offer this',
  aborted: 'nobody waited any longer',
}

/** Why it failed, in words that may be shown. */
export const failureCause = ({ failure, said }: UpstreamError) => said ?? usual[failure]
