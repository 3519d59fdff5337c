import { UpstreamError } from '../../errors.ts'
import type { Call } from '../../ports/call.ts'
import type { TracedCall } from '../request/call-trace.ts'
import type { GuardedTask } from './guard.ts'

/**
 * The states of one call behind its guard:
 * - `queued`: waits for a place in the bulkhead.
 * - `running`: holds a place; its attempts are under way.
 * - `ended`: succeeded, failed, out of time or given up.
 */
export type GuardedCallState = 'queued' | 'running' | 'ended'

export interface GuardedCallOptions {
  /** Names the system in messages: "acme/live pricing". */
  name: string
  trace: TracedCall
  /** The time limit of this call. */
  timeoutMs: number
  /** The guard's own time limit; a call may be given more. */
  guardTimeoutMs: number
  /** The circuit was half-open when the call was made. */
  isProbe: boolean
  now: () => number
  onLeaveQueue: () => void
}

/** One call to a system, from the queue to its end: owns its deadline, its abort signal and its response. */
export interface GuardedCall<T> {
  readonly state: GuardedCallState
  /** A probe whose callers have all left. It goes on, because its verdict decides whether the circuit closes. */
  readonly isUnattended: boolean
  readonly call: Call
  readonly answer: Promise<T>
  /** Leaves the queue: the bulkhead has a place. */
  start(): void
  succeed(value: T): void
  fail(error: unknown): void
  /** See {@link RunningCall.abandon}. */
  abandon(outOfTime?: boolean): void
}

export function createGuardedCall<T>(task: GuardedTask<T>, options: GuardedCallOptions): GuardedCall<T> {
  const { name, trace, timeoutMs, guardTimeoutMs, isProbe, now } = options
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const controller = new AbortController()
  const startedAt = now()
  let placedAt = startedAt
  let state: GuardedCallState = 'queued'
  let isUnattended = false
  let isResponding = false
  const timer = setTimeout(expire, timeoutMs)

  function leaveQueue(): void {
    if (state !== 'queued') return
    placedAt = now()
    trace.trace.queuedMs = placedAt - startedAt
    options.onLeaveQueue()
  }

  function settle(error: unknown): void {
    clearTimeout(timer)
    leaveQueue()
    state = 'ended'
    trace.end(error)
  }

  function giveUp(reason: UpstreamError): void {
    settle(reason)
    controller.abort(reason)
    reject(reason)
  }

  /**
   * If a patient read had less than the guard's own time left when it got its place, the queue was long; the system was not slow.
   * A write is never excused this way: the system may have received it.
   */
  function isQueueToBlame(): boolean {
    if (state === 'queued') return true
    return task.read && timeoutMs > guardTimeoutMs && now() - placedAt < guardTimeoutMs
  }

  function expire(): void {
    const afterMs = now() - startedAt
    if (isQueueToBlame()) {
      const cause = `${afterMs} ms in the queue`
      giveUp(new UpstreamError('overloaded', `${name}: ${cause}`, { summary: cause, retryAfterMs: 1000 }))
    } else {
      const cause = isResponding ? `incomplete response after ${afterMs} ms` : `no response in ${afterMs} ms`
      giveUp(new UpstreamError('timeout', `${name}: ${cause}`, { summary: cause }))
    }
  }

  return {
    get state() {
      return state
    },
    get isUnattended() {
      return isUnattended
    },
    call: {
      signal: controller.signal,
      requestId: task.requestId,
      timeoutMs: () => startedAt + timeoutMs - now(),
      trace: trace.recorder?.context,
      onExchange(progress) {
        isResponding = progress === 'responding'
      },
      isBackground: task.background,
    },
    answer: promise,
    start() {
      leaveQueue()
      if (state === 'queued') state = 'running'
    },
    succeed(value) {
      if (state !== 'ended') settle(null)
      resolve(value)
    },
    fail(error) {
      if (state !== 'ended') settle(error)
      reject(error)
    },
    abandon(outOfTime = false) {
      if (state === 'ended') return
      if (outOfTime && now() - startedAt >= timeoutMs / 2) return expire()
      const reason = new UpstreamError('aborted', 'every caller has left')
      // Callers of several systems leave when one of them refuses. If that ended the probes of the others, no circuit would ever close.
      if (!isProbe) return giveUp(reason)
      isUnattended = true
      reject(reason)
    },
  }
}
