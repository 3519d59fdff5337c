import { UpstreamError } from '../errors.ts'
import type { Call } from '../ports/call.ts'

export type TimedResult<T> = { value: T; ms: number } | { error: UpstreamError; ms: number }

export interface ProbeLimits {
  timeoutMs: number
  /** Ends the whole diagnosis. */
  signal: AbortSignal
}

/** A call with its own deadline. `dispose` clears its timer. */
export function createCallWithDeadline({ timeoutMs, signal }: ProbeLimits): { call: Call; dispose(): void } {
  const controller = new AbortController()
  const deadline = performance.now() + timeoutMs
  const onTimeout = () => controller.abort(new UpstreamError('timeout', `no response within ${timeoutMs} ms`))
  const onAbort = () => controller.abort(new UpstreamError('aborted', 'the diagnosis was stopped'))
  const timer = setTimeout(onTimeout, timeoutMs).unref()
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  return {
    call: {
      signal: controller.signal,
      timeoutMs: () => Math.max(0, deadline - performance.now()),
      requestId: 'doctor',
    },
    dispose() {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    },
  }
}

/** Makes one call, without retries and without a circuit breaker: no earlier failure prevents a call. */
export async function callWithDeadline<T>(
  work: (call: Call) => Promise<T>,
  limits: ProbeLimits,
): Promise<TimedResult<T>> {
  const startedAt = performance.now()
  const { call, dispose } = createCallWithDeadline(limits)
  const elapsedMs = () => Math.round(performance.now() - startedAt)
  try {
    return { value: await rejectOnAbort(work(call), call.signal), ms: elapsedMs() }
  } catch (error) {
    return { error: toUpstreamError(error), ms: elapsedMs() }
  } finally {
    dispose()
  }
}

/** An adapter that ignores its signal must not block the doctor. */
function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

function toUpstreamError(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error
  // A port rejects only with UpstreamError: anything else is a bug in the adapter.
  return new UpstreamError('invalid', `the adapter failed: ${error instanceof Error ? error.message : String(error)}`)
}
