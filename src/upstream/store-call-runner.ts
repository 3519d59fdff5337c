import { UpstreamError } from '../errors.ts'
import type { Call } from '../ports/call.ts'
import { type CallTrace, traceCall } from './call-trace.ts'
import type { Guard, GuardedTask, RunningCall } from './guard.ts'
import type { TraceRecorder } from './trace-recorder.ts'

/** What asks a source that stands behind no circuit. */
export type CallRunner = Pick<Guard, 'run'>

/**
 * Asks this program's own store: it has a deadline, and no breaker or line, because what it has is at hand while other systems are ill.
 * Whatever goes wrong there is an `unavailable` source, as when a system cannot be reached.
 */
export function createStoreCallRunner(
  name: string,
  timeoutMs: number,
  onCall: (call: CallTrace) => void = () => {},
  trail?: TraceRecorder,
): CallRunner {
  return {
    run<T>(task: GuardedTask<T>): RunningCall<T> {
      const { trace, end: ended } = traceCall('fitment', task.operation, Date.now, onCall, task.recorder ?? trail)
      trace.attempts = 1
      const controller = new AbortController()
      const endsAt = performance.now() + timeoutMs
      const call: Call = {
        signal: controller.signal,
        requestId: task.requestId,
        timeoutMs: () => endsAt - performance.now(),
      }
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const end = (reason: UpstreamError) => {
        clearTimeout(timer)
        ended(reason)
        controller.abort(reason)
        reject(reason)
      }
      const late = () => end(new UpstreamError('timeout', `${name}: no answer in ${timeoutMs} ms`))
      const timer = setTimeout(late, timeoutMs)
      task
        .work(call)
        .then(
          (answer) => {
            ended(null)
            resolve(answer)
          },
          (cause) => {
            const failure = failureOf(name, cause)
            ended(failure)
            reject(failure)
          },
        )
        .finally(() => clearTimeout(timer))
      const abandon = () => end(new UpstreamError('aborted', 'nobody waits any longer'))
      return { answer: promise, abandon, calls: [trace] }
    },
  }
}

function failureOf(name: string, cause: unknown): UpstreamError {
  if (cause instanceof UpstreamError) return cause
  const said = cause instanceof Error ? cause.message : String(cause)
  return new UpstreamError('unavailable', `${name}: ${said}`, { cause })
}
