import { UpstreamError } from '../errors.ts'
import type { Call } from '../ports/call.ts'

export type TimedResult<T> = { value: T; ms: number } | { error: UpstreamError; ms: number }

export interface ProbeLimits {
  timeoutMs: number
  /** The end of the whole visit. */
  signal: AbortSignal
}

/** A call with a deadline of its own. `over` puts its timer away. */
export function createTimedCall({ timeoutMs, signal }: ProbeLimits): { call: Call; over(): void } {
  const controller = new AbortController()
  const endsAt = performance.now() + timeoutMs
  const late = () => controller.abort(new UpstreamError('timeout', `no answer within ${timeoutMs} ms`))
  const leave = () => controller.abort(new UpstreamError('aborted', 'the examination was ended'))
  const timer = setTimeout(late, timeoutMs).unref()
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  const timeoutLeft = () => Math.max(0, endsAt - performance.now())
  return {
    call: { signal: controller.signal, timeoutMs: timeoutLeft, requestId: 'doctor' },
    over() {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
    },
  }
}

/** Asks once: nothing is retried, and no circuit keeps the next question from being asked. */
export async function callOnce<T>(work: (call: Call) => Promise<T>, patience: ProbeLimits): Promise<TimedResult<T>> {
  const startedAt = performance.now()
  const { call, over } = createTimedCall(patience)
  const ms = () => Math.round(performance.now() - startedAt)
  try {
    return { value: await orLeft(work(call), call.signal), ms: ms() }
  } catch (error) {
    return { error: upstreamError(error), ms: ms() }
  } finally {
    over()
  }
}

/** An adapter that does not heed its signal must not hold the doctor up. */
function orLeft<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

function upstreamError(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error
  // A port promises UpstreamError alone: anything else is a mistake of the adapter's.
  return new UpstreamError('invalid', `the adapter failed: ${error instanceof Error ? error.message : String(error)}`)
}
