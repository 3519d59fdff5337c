import { UpstreamError } from '../../errors.ts'
import type { Call } from '../../ports/call.ts'
import type { CircuitName } from '../../ports/circuit-name.ts'
import type { PortName } from '../../ports/system.ts'
import { type CallTrace, type TracedCall, traceCall } from '../request/call-trace.ts'
import type { CallingRequest } from '../request/calling-request.ts'
import type { TraceRecorder } from '../request/trace-recorder.ts'
import { createAttempts } from './attempts.ts'
import { type BreakerLimits, breakerDefaults } from './breaker-limits.ts'
import { type Bulkhead, createBulkhead } from './bulkhead.ts'
import { type CallPriority, priorityQueueShares } from './call-priority.ts'
import { type BreakerState, type CircuitHold, createBreaker } from './circuit-breaker.ts'
import { createFollowingBreaker } from './following-breaker.ts'
import { createGuardedCall } from './guarded-call.ts'
import type { FailureCount } from './recent-failure-kinds.ts'
import { createRejectionStreak } from './rejection-streak.ts'
import type { SharedCircuit } from './shared-circuit.ts'

export interface GuardLimits extends BreakerLimits {
  /** Time limit of one call, its time in the queue included. */
  timeoutMs: number
  /** The maximum number of concurrent calls. */
  concurrency: number
  /** The maximum number of calls that wait for a place. */
  queue: number
}

export const guardDefaults: GuardLimits = { ...breakerDefaults, timeoutMs: 700, concurrency: 32, queue: 64 }

export interface GuardedTask<T> extends CallingRequest {
  /** The port's method, for traces. */
  operation: string
  priority: CallPriority
  /** A read is sent again after a connection error or a 502, 503 or 504. */
  read: boolean
  /** No request waits for the response. Failures are not retried, and do not count against the system, whose other calls may succeed. */
  background?: boolean
  /** Replaces the guard's own time limit. */
  timeoutMs?: number
  work(call: Call): Promise<T>
}

export interface RunningCall<T> {
  answer: Promise<T>
  /**
   * Ends the work because no caller waits for it any more. This says nothing about the system, unless the callers ran out of time
   * (`outOfTime`) after at least half of the call's own limit: that counts as a timeout.
   */
  abandon(outOfTime?: boolean): void
  /** The calls made so far; each is updated as it proceeds. */
  readonly calls: Iterable<CallTrace>
}

/** Protects one system of one tenant, or one kind of calls to it. Every call passes deadline, bulkhead, circuit breaker and retry, in this order. */
export interface Guard extends Disposable {
  run<T>(task: GuardedTask<T>): RunningCall<T>
  readonly state: BreakerState
  /** The system rejected every recent call. */
  readonly rejectsCalls: boolean
  readonly limits: GuardLimits
  /** Holds the circuit open or closed for an operator; `null` ends the hold. */
  hold(hold: CircuitHold | null): void
  readonly held: CircuitHold | null
  /** The circuit, for the code that shares its state with other processes. */
  readonly shared: SharedCircuit
}

/** Receives each failure of a system, with the id of the request that called first. */
export type FailureListener = (system: string, requestId: string, failure: UpstreamError) => void

export interface GuardOptions {
  /** The tenant whose system this is: "acme/live". */
  tenantKey?: string
  /** The name of the circuit; that of the system if absent. */
  circuit?: CircuitName
  /** The places for its calls; as many as `limits.concurrency` if absent. */
  bulkhead?: Bulkhead
  onFailure?: FailureListener
  /** Receives each call when it has ended. */
  onCall?(call: CallTrace): void
  /** Runs when the circuit opens, with the failures that opened it, and when it has closed again. */
  onCircuitChange?(state: 'open' | 'closed', failures: FailureCount[]): void
  /** Records the calls that belong to no request's trace. */
  recorder?: TraceRecorder | undefined
}

export function createGuard(
  system: PortName,
  limits: GuardLimits,
  now: () => number = Date.now,
  options: GuardOptions = {},
): Guard {
  const { tenantKey, circuit = system, onFailure = () => {}, onCall = () => {}, onCircuitChange, recorder } = options
  const { bulkhead = createBulkhead(limits.concurrency) } = options
  const name = tenantKey === undefined ? circuit : `${tenantKey} ${circuit}`
  // A long time limit needs a longer window to see as many failures in a row.
  const maxStreakMs = Math.max(limits.maxStreakMs, limits.streakLength * limits.timeoutMs)
  const ownBreaker = createBreaker({ ...limits, maxStreakMs }, now, onCircuitChange)
  const breaker = createFollowingBreaker(ownBreaker, now)
  const circuitOpen = () =>
    maintenanceError(name, breaker.held, now()) ??
    new UpstreamError('circuit_open', `${name}: circuit open`, {
      retryAfterMs: breaker.retryAfterMs(),
      ...(breaker.held ? heldCause : (openingCause(breaker.openedBy) ?? (breaker.shared.isFollowing && followedCause))),
    })
  const rejections = createRejectionStreak(now)
  const runAttempts = createAttempts({ name, breaker, rejections, onFailure, circuitOpen })
  // Without the calls that gave up in the queue of the bulkhead.
  let queued = 0

  /** Returns the reason why a call is refused before it is queued. */
  function refusal(priority: CallPriority): UpstreamError | null {
    if (breaker.state === 'open') return circuitOpen()
    if (queued - bulkhead.free < limits.queue * priorityQueueShares[priority]) return null
    const message = `${name}: ${bulkhead.size} places for calls, queue full`
    return new UpstreamError('overloaded', message, { retryAfterMs: 1000 })
  }

  function run<T>(task: GuardedTask<T>): RunningCall<T> {
    const trace = traceCall(system, task.operation, now, onCall, task.recorder ?? recorder)
    if (circuit !== system) trace.trace.circuit = circuit
    if (task.background) trace.trace.background = true
    const isProbe = breaker.state === 'half-open'
    const refused = refusal(task.priority)
    if (refused) return refuse(refused, trace)
    queued += 1
    const guarded = createGuardedCall(task, {
      name,
      trace,
      timeoutMs: task.timeoutMs ?? limits.timeoutMs,
      guardTimeoutMs: limits.timeoutMs,
      isProbe,
      now,
      onLeaveQueue: () => {
        queued -= 1
      },
    })
    const attempted = { ...trace, call: guarded.call, isUnattended: () => guarded.isUnattended }
    // The place stays taken until the work has ended: abandoned work may still load the system.
    bulkhead
      .run(() => {
        guarded.start()
        return runAttempts(task, attempted)
      })
      .then(guarded.succeed, guarded.fail)
    return { answer: guarded.answer, abandon: guarded.abandon, calls: [trace.trace] }
  }

  return {
    run,
    limits,
    get state() {
      return breaker.state
    },
    get rejectsCalls() {
      return rejections.isLong
    },
    shared: breaker.shared,
    hold: (hold) => breaker.hold(hold),
    get held() {
      return breaker.held
    },
    [Symbol.dispose]: () => breaker[Symbol.dispose](),
  }
}

function maintenanceError(name: string, held: CircuitHold | null, at: number): UpstreamError | null {
  if (!held?.isMaintenance) return null
  const { untilMs } = held
  const summary = `planned maintenance until ${new Date(untilMs).toISOString()}: no call was made`
  return new UpstreamError('maintenance', `${name}: ${summary}`, { summary, untilMs, retryAfterMs: untilMs - at })
}

const heldCause = {
  summary: 'circuit held open by an operator: no call was made',
  openedBy: 'circuit held open by an operator',
}

const followedCause = { summary: 'circuit opened by another process: no call was made' }

function openingCause(failures: readonly FailureCount[]): { summary: string; openedBy: string } | null {
  if (failures.length === 0) return null
  const counts = failures.map(({ kind, count }) => `${count} × ${kind}`).join(', ')
  return { summary: `circuit open after ${counts}: no call was made`, openedBy: failures[0]!.kind }
}

function refuse<T>(error: UpstreamError, trace: TracedCall): RunningCall<T> {
  trace.end(error)
  return { answer: Promise.reject(error), abandon: () => {}, calls: [trace.trace] }
}

/** A call to a system that the tenant does not have. */
export function rejectedCall<T>(error: UpstreamError): RunningCall<T> {
  return { answer: Promise.reject(error), abandon: () => {}, calls: [] }
}
