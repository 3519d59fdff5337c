import pLimit from 'p-limit'
import { UpstreamError, type UpstreamFailure } from '../errors.ts'
import type { Call } from '../ports/call.ts'
import type { Source } from '../ports/system.ts'
import {
  type BreakerLimits,
  type BreakerState,
  breakerDefaults,
  createBreaker,
  type Hold,
  type Lease,
} from './circuit-breaker.ts'
import { type CallTrace, causeOf, type Traced, traced } from './call-trace.ts'
import type { Asker, Trail } from './trace-recorder.ts'

/** What is shed first when a system cannot keep up; the share is the part of the waiting line that a kind of call may fill. */
export const priorities = { checkout: 1, cart: 0.9, catalog: 0.75, search: 0.5 } as const
export type Priority = keyof typeof priorities

export interface GuardLimits extends BreakerLimits {
  /** The most that anyone waits for one question to this system. */
  timeoutMs: number
  /** Calls under way at once. */
  concurrency: number
  /** Calls that may wait for a place. */
  queue: number
}

export const guardDefaults: GuardLimits = { ...breakerDefaults, timeoutMs: 700, concurrency: 32, queue: 64 }

export interface Task<T> extends Asker {
  /** What is asked, for who looks at it later. */
  operation: string
  priority: Priority
  /** Asked again after a connection error or a 502, 503, 504, when it is a read. */
  read: boolean
  /** Nobody waits for it: its failures do not speak against the system, whose other answers may be well, and are not retried. */
  background?: boolean
  /** Instead of the guard's own. */
  timeoutMs?: number
  work(call: Call): Promise<T>
}

export interface Running<T> {
  answer: Promise<T>
  /**
   * Nobody waits any longer: ends the work without a verdict on the system, unless those who waited ran out of time
   * and it had at least half of its own; that is as good as a timeout.
   */
  abandon(outOfTime?: boolean): void
  /** What was asked of the systems so far, each filled in as it goes. */
  readonly calls: Iterable<CallTrace>
}

/** The guard of one system of one merchant in one mode: deadline, bulkhead, breaker, retry, in that order around each question. */
export interface Guard extends Disposable {
  run<T>(task: Task<T>): Running<T>
  readonly state: BreakerState
  readonly limits: GuardLimits
  /** By hand, until then; `null` lets it go. */
  hold(hold: Hold | null): void
  readonly held: Hold | null
}

const RETRY_TOKENS = 10
const RETRY_EARNED_PER_CALL = 0.1
const BACKOFF_MS = 25

interface Asked extends Traced {
  /** It may decide whether the circuit closes. */
  probing: boolean
  /** Set when nobody waits for it any longer. */
  left: UpstreamError | null
}

/** Told of each call that failed by its system's doing, with the id of the request that asked first. */
export type OnFailure = (system: string, requestId: string, failure: UpstreamError) => void

export interface Watchers {
  /** Whose system it is: "acme/live". */
  owner?: string
  onFailure?: OnFailure
  /** Told of each call when it has ended. */
  onCall?(call: CallTrace): void
  /** Told when the circuit opens, and when it has closed again. */
  onTurn?(state: 'open' | 'closed'): void
  /** Follows the calls that no request's trail does. */
  trail?: Trail | undefined
}

export function createGuard(
  system: Source,
  limits: GuardLimits,
  now: () => number = Date.now,
  { owner, onFailure = () => {}, onCall = () => {}, onTurn, trail }: Watchers = {},
): Guard {
  const name = owner === undefined ? system : `${owner} ${system}`
  // A patient guard needs longer to see as many failures one after another.
  const runWithinMs = Math.max(limits.runWithinMs, limits.runLength * limits.timeoutMs)
  const breaker = createBreaker({ ...limits, runWithinMs }, now, onTurn)
  const places = pLimit(limits.concurrency)
  let tokens = RETRY_TOKENS
  // Not `places.pendingCount`: p-limit still counts those who gave up waiting.
  let started = 0
  let waiting = 0

  const refused = () =>
    new UpstreamError('circuit_open', `${name}: circuit open`, {
      retryAfterMs: breaker.retryAfterMs(),
      ...(breaker.held && { said: 'its circuit is held open by an operator' }),
    })

  function admit(): Lease {
    const lease = breaker.admit()
    if (lease === null) throw refused()
    return lease
  }

  async function attempt<T>(task: Task<T>, call: Call, told: Asked, before?: UpstreamError): Promise<T> {
    const { trace, trail } = told
    if (call.signal.aborted) throw call.signal.reason
    const lease = admit()
    if (told.left && !lease.isProbe) {
      lease.release()
      throw told.left
    }
    trace.attempts += 1
    if (before) trail?.retried?.(causeOf(before))
    // The verdict falls with the deadline, not when the work at last ends: a late answer is no success, and some work never ends.
    let settled = false
    const fail = (error: unknown): UpstreamError => {
      const failure = asUpstreamError(error, call)
      if (!settled) {
        settled = true
        settle(lease, failure, task)
        if (telling.has(failure.failure)) onFailure(name, call.requestId, failure)
      }
      return failure
    }
    const onAbort = () => void fail(call.signal.reason)
    call.signal.addEventListener('abort', onAbort, { once: true })
    try {
      const answer = await task.work(call)
      lease.succeed()
      return answer
    } catch (error) {
      throw fail(error)
    } finally {
      call.signal.removeEventListener('abort', onAbort)
    }
  }

  async function attempts<T>(task: Task<T>, call: Call, told: Asked): Promise<T> {
    tokens = Math.min(RETRY_TOKENS, tokens + RETRY_EARNED_PER_CALL)
    try {
      return await attempt(task, call, told)
    } catch (error) {
      const retries = task.read && !task.background
      const worthwhile = error instanceof UpstreamError && error.retryable && retries && breaker.state === 'closed'
      if (!worthwhile || tokens < 1 || call.signal.aborted) throw error
      const pauseMs = Math.max(BACKOFF_MS * (1 + Math.random()), error.retryAfterMs ?? 0)
      if (call.timeoutMs() < pauseMs + 2 * BACKOFF_MS) throw error
      tokens -= 1
      await pause(pauseMs, call)
      return attempt(task, call, told, error)
    }
  }

  function rejected<T>(error: UpstreamError, { trace, ended }: Traced): Running<T> {
    ended(error)
    return { answer: Promise.reject(error), abandon: () => {}, calls: [trace] }
  }

  return {
    limits,
    get state() {
      return breaker.state
    },
    run<T>(task: Task<T>): Running<T> {
      const asked = traced(system, task.operation, now, onCall, task.trail ?? trail)
      const told: Asked = { ...asked, probing: breaker.state === 'half-open', left: null }
      const { trace } = told
      if (task.background) trace.background = true
      if (breaker.state === 'open') return rejected(refused(), told)
      if (waiting - (limits.concurrency - started) >= limits.queue * priorities[task.priority]) {
        const message = `${name}: ${limits.concurrency} calls under way, line full`
        return rejected(new UpstreamError('overloaded', message, { retryAfterMs: 1000 }), told)
      }
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const controller = new AbortController()
      const startedAt = now()
      const timeoutMs = task.timeoutMs ?? limits.timeoutMs
      const endsAt = startedAt + timeoutMs
      const call: Call = {
        signal: controller.signal,
        requestId: task.requestId,
        timeoutMs: () => endsAt - now(),
        trace: told.trail?.context,
      }
      let inLine = true
      let begunAt = startedAt
      waiting += 1
      const leaveLine = () => {
        if (inLine) waiting -= 1
        inLine = false
      }
      const end = (reason: UpstreamError) => {
        clearTimeout(timer)
        if (inLine) trace.queuedMs = now() - startedAt
        leaveLine()
        told.ended(reason)
        controller.abort(reason)
        reject(reason)
      }
      // Whoever waits longer than others, and has less than their time when its turn comes, had a long line and not a slow system.
      // What changes something may have been sent by then: that is never said of it.
      const patient = task.read && timeoutMs > limits.timeoutMs
      const queued = () => inLine || (patient && now() - begunAt < limits.timeoutMs)
      const late = () => {
        const afterMs = now() - startedAt
        const said = `no answer in ${afterMs} ms`
        if (!queued()) return end(new UpstreamError('timeout', `${name}: ${said}`, { said }))
        const inLineSaid = `${afterMs} ms in line`
        end(new UpstreamError('overloaded', `${name}: ${inLineSaid}`, { said: inLineSaid, retryAfterMs: 1000 }))
      }
      const timer = setTimeout(late, timeoutMs)
      // The place is held until the work itself has ended: what was given up on may still burden the system.
      places(async () => {
        begunAt = now()
        if (inLine) trace.queuedMs = begunAt - startedAt
        leaveLine()
        started += 1
        return attempts(task, call, told).finally(() => {
          started -= 1
        })
      })
        .then(
          (answer) => {
            told.ended(null)
            resolve(answer)
          },
          (error) => {
            told.ended(error)
            reject(error)
          },
        )
        .finally(() => clearTimeout(timer))
      const abandon: Running<T>['abandon'] = (outOfTime) => {
        const left = new UpstreamError('aborted', 'nobody waits any longer')
        if (outOfTime && now() - startedAt >= timeoutMs / 2) late()
        // A probe is seen to its end. Those who ask several systems at once leave when one of them refuses: of circuits that are probed in
        // turn, none would ever close.
        else if (told.probing) {
          told.left = left
          reject(left)
        } else end(left)
      }
      return { answer: promise, abandon, calls: [trace] }
    },
    hold: (hold) => breaker.hold(hold),
    get held() {
      return breaker.held
    },
    [Symbol.dispose]: () => breaker[Symbol.dispose](),
  }
}

/** Timeouts, refused connections, 5xx and unreadable answers speak against a system; a 429, a 4xx or a caller who left do not. */
const verdicts: ReadonlySet<UpstreamFailure> = new Set(['timeout', 'unavailable', 'error', 'invalid'])

/** What the log is told of beside: answers that say nothing of the system's health, and yet need somebody to look. */
const telling: ReadonlySet<UpstreamFailure> = new Set([...verdicts, 'rejected', 'rate_limited'])

function settle(lease: Lease, failure: UpstreamError, { background = false }: Pick<Task<unknown>, 'background'>): void {
  if (verdicts.has(failure.failure) && !background) lease.fail()
  else lease.release()
}

function asUpstreamError(error: unknown, call: Call): UpstreamError {
  if (call.signal.aborted && call.signal.reason instanceof UpstreamError) return call.signal.reason
  if (error instanceof UpstreamError) return error
  return new UpstreamError('error', error instanceof Error ? `${error.name}: ${error.message}` : String(error), {
    cause: error,
  })
}

/** A question that nobody can be asked. */
export function unasked<T>(error: UpstreamError): Running<T> {
  return { answer: Promise.reject(error), abandon: () => {}, calls: [] }
}

/** Ends early, without an error, when the call is aborted: the next attempt then sees the signal. */
function pause(ms: number, call: Call): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      call.signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    call.signal.addEventListener('abort', done, { once: true })
  })
}
