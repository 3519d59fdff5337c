import { UpstreamError, type UpstreamFailure } from '../../errors.ts'
import type { Call } from '../../ports/call.ts'
import type { TracedCall } from '../request/call-trace.ts'
import { failureCause } from '../request/failure-cause.ts'
import { failureKind } from '../request/failure-kind.ts'
import type { Breaker, BreakerLease } from './circuit-breaker.ts'
import type { FailureListener, GuardedTask } from './guard.ts'
import type { RejectionStreak } from './rejection-streak.ts'

/** Retries that a system may receive at once after a quiet time. */
const RETRY_TOKENS = 10
/** Each call earns a tenth of a retry, so retries add a tenth to the load at the most. */
const RETRY_EARNED_PER_CALL = 0.1
const BACKOFF_MS = 25

/** Timeouts, refused connections, 5xx and unreadable responses count against a system; a 429, a 4xx or a caller who left do not. */
const countedFailures: ReadonlySet<UpstreamFailure> = new Set([
  'timeout',
  'unavailable',
  'error',
  'invalid',
  'unauthorized',
])

/** Also logged: responses that say nothing about the health of a system, and still need an engineer. */
const loggedFailures: ReadonlySet<UpstreamFailure> = new Set([
  ...countedFailures,
  'rejected',
  'rate_limited',
  'misconfigured',
])

export interface AttemptsOptions {
  name: string
  breaker: Breaker
  rejections: RejectionStreak
  onFailure: FailureListener
  /** The error of a call that the circuit refuses. */
  circuitOpen(): UpstreamError
}

/** The call that an attempt belongs to. */
export interface AttemptedCall extends TracedCall {
  readonly call: Call
  /** See {@link GuardedCall.isUnattended}. */
  readonly isUnattended: () => boolean
}

/** Runs a task under the circuit breaker. A read that failed in a retryable way is sent once more, within its deadline and the retry budget. */
export type RunAttempts = <T>(task: GuardedTask<T>, attempted: AttemptedCall) => Promise<T>

export function createAttempts({ name, breaker, rejections, onFailure, circuitOpen }: AttemptsOptions): RunAttempts {
  let tokens = RETRY_TOKENS

  async function attempt<T>(task: GuardedTask<T>, of: AttemptedCall, previous?: UpstreamError): Promise<T> {
    const { call, trace, recorder } = of
    if (call.signal.aborted) throw call.signal.reason
    const lease = breaker.admit()
    if (lease === null) throw circuitOpen()
    if (of.isUnattended() && !lease.isProbe) {
      lease.release()
      throw new UpstreamError('aborted', 'every caller has left')
    }
    trace.attempts += 1
    if (previous) recorder?.retried?.(failureCause(previous))
    // The deadline decides the verdict, not the end of the work: a late response is no success, and some work never ends.
    let isDecided = false
    const fail = (error: unknown): UpstreamError => {
      const failure = toUpstreamError(error, call)
      if (isDecided) return failure
      isDecided = true
      endLease(lease, failure, task.background)
      rejections.failed(failure.failure)
      if (loggedFailures.has(failure.failure)) onFailure(name, call.requestId, failure)
      return failure
    }
    const onAbort = () => void fail(call.signal.reason)
    call.signal.addEventListener('abort', onAbort, { once: true })
    try {
      const answer = await task.work(call)
      lease.succeed()
      if (!isDecided) rejections.succeeded()
      return answer
    } catch (error) {
      throw fail(error)
    } finally {
      call.signal.removeEventListener('abort', onAbort)
    }
  }

  /** How long to wait before the second attempt; `null`: there is none. */
  function retryDelayMs(error: unknown, task: GuardedTask<unknown>, call: Call): number | null {
    if (!(error instanceof UpstreamError) || !error.retryable) return null
    if (!task.read || task.background || breaker.state !== 'closed') return null
    if (tokens < 1 || call.signal.aborted) return null
    const delayMs = Math.max(BACKOFF_MS * (1 + Math.random()), error.retryAfterMs ?? 0)
    return call.timeoutMs() < delayMs + 2 * BACKOFF_MS ? null : delayMs
  }

  return async (task, attempted) => {
    tokens = Math.min(RETRY_TOKENS, tokens + RETRY_EARNED_PER_CALL)
    try {
      return await attempt(task, attempted)
    } catch (error) {
      const delayMs = retryDelayMs(error, task, attempted.call)
      if (delayMs === null) throw error
      tokens -= 1
      await delay(delayMs, attempted.call)
      return attempt(task, attempted, error as UpstreamError)
    }
  }
}

/** A background call may be slow or fail without harm. A refused login is the same for all calls. */
function endLease(lease: BreakerLease, error: UpstreamError, background = false): void {
  const { failure } = error
  if (countedFailures.has(failure) && (!background || failure === 'unauthorized')) lease.fail(failureKind(error))
  else lease.release()
}

function toUpstreamError(error: unknown, call: Call): UpstreamError {
  if (call.signal.aborted && call.signal.reason instanceof UpstreamError) return call.signal.reason
  if (error instanceof UpstreamError) return error
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return new UpstreamError('error', message, { cause: error })
}

/** Ends early, without an error, when the call is aborted: the next attempt then sees the signal. */
function delay(ms: number, { signal }: Call): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
