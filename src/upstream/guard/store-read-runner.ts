import { UpstreamError } from '../../errors.ts'
import type { Call } from '../../ports/call.ts'
import type { SourceName } from '../../ports/system.ts'
import { type CallTrace, traceCall } from '../request/call-trace.ts'
import type { TraceRecorder } from '../request/trace-recorder.ts'
import type { Guard, GuardedTask, RunningCall } from './guard.ts'

/** Runs calls to a source that needs no circuit. */
export type CallRunner = Pick<Guard, 'run'>

export interface StoreReadRunnerParts {
  tenantKey: string
  /** The part of the store that is read. */
  source: SourceName
  timeoutMs: number
  /** Receives each call when it has ended. */
  onCall?(call: CallTrace): void
  recorder?: TraceRecorder | undefined
}

/**
 * Runs reads of this program's own store like calls to a system: with a deadline, but without circuit or queue. Any failure there counts
 * as `unavailable`, as if a system could not be reached.
 */
export function createStoreReadRunner({
  tenantKey,
  source,
  timeoutMs,
  onCall = () => {},
  recorder,
}: StoreReadRunnerParts): CallRunner {
  const name = `${tenantKey} ${source}`

  function run<T>(task: GuardedTask<T>): RunningCall<T> {
    const trace = traceCall(source, task.operation, Date.now, onCall, task.recorder ?? recorder)
    trace.trace.attempts = 1
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const controller = new AbortController()
    const endsAt = performance.now() + timeoutMs
    const call: Call = {
      signal: controller.signal,
      requestId: task.requestId,
      timeoutMs: () => endsAt - performance.now(),
    }
    const timer = setTimeout(
      () => fail(new UpstreamError('timeout', `${name}: no response in ${timeoutMs} ms`)),
      timeoutMs,
    )

    function succeed(value: T): void {
      clearTimeout(timer)
      trace.end(null)
      resolve(value)
    }

    function fail(failure: UpstreamError): void {
      clearTimeout(timer)
      trace.end(failure)
      controller.abort(failure)
      reject(failure)
    }

    task.work(call).then(succeed, (error) => fail(toUpstreamError(name, error)))
    const abandon = () => fail(new UpstreamError('aborted', 'every caller has left'))
    return { answer: promise, abandon, calls: [trace.trace] }
  }

  return { run }
}

function toUpstreamError(name: string, error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new UpstreamError('unavailable', `${name}: ${message}`, { cause: error })
}
