import { EventEmitter } from 'node:events'
import CircuitBreaker from 'opossum'
import { createFailureStreak, type FailureStreakLimits, failureStreakDefaults } from './failure-streak.ts'

export interface BreakerLimits extends FailureStreakLimits {
  /** Share of failed calls in the window that opens the circuit, 0..100. */
  failurePercentage: number
  /** Calls in the window below which their share says nothing; a run of failures opens it all the same. */
  minimumCalls: number
  windowMs: number
  /** How long it stays open at first; each failed probe lengthens it by half, up to `maxOpenMs`. */
  openMs: number
  maxOpenMs: number
  /** Successful probes, one at a time, that close it again. */
  probes: number
  /** A probe that has not settled by then gives its place to another. */
  probeLeaseMs: number
}

export const breakerDefaults: BreakerLimits = {
  ...failureStreakDefaults,
  failurePercentage: 20,
  minimumCalls: 10,
  windowMs: 3_000,
  openMs: 1_000,
  maxOpenMs: 3_000,
  probes: 2,
  probeLeaseMs: 2_000,
}

/** The right to make one call. Exactly one of the three ends it; later ones do nothing. */
export interface BreakerLease {
  succeed(): void
  fail(): void
  /** No verdict: an answer that says nothing of the system's health, or nobody waited for it. */
  release(): void
  /** It decides whether the circuit closes. */
  readonly isProbe: boolean
}

export type BreakerState = 'closed' | 'open' | 'half-open'

export interface Breaker extends Disposable {
  readonly state: BreakerState
  /** `null`: not now, and `retryAfterMs` says when. */
  admit(): BreakerLease | null
  retryAfterMs(): number
  /** By hand: until then it lets nothing through, or everything, whatever comes of it. `null` lets it go. */
  hold(hold: CircuitHold | null): void
  /** `null`: it is not held, or no longer. */
  readonly held: CircuitHold | null
}

export interface CircuitHold {
  state: 'open' | 'closed'
  /** Milliseconds since the epoch. */
  untilMs: number
  /** The operator. */
  by: string
}

/** A call that no verdict comes of. */
const unjudged: BreakerLease = { succeed() {}, fail() {}, release() {}, isProbe: false }

const BUCKETS = 6
const rotations = new Map<number, EventEmitter>()

/** One timer for all breakers of a window length: a timer each is what makes thousands of idle breakers cost a core. */
function rotation(windowMs: number): EventEmitter {
  const existing = rotations.get(windowMs)
  if (existing) return existing
  const emitter = new EventEmitter().setMaxListeners(0)
  setInterval(() => emitter.emit('rotate'), windowMs / BUCKETS).unref()
  rotations.set(windowMs, emitter)
  return emitter
}

/**
 * A circuit breaker in which opossum keeps the rolling window and the states, and is told outcomes, never given the work.
 * So a late answer of an earlier generation, a 404, an aborted call or our own overload cannot move it, and a probe
 * that hangs cannot hold it half-open.
 */
export function createBreaker(
  limits: BreakerLimits,
  now: () => number = Date.now,
  onTurn: (state: 'open' | 'closed') => void = () => {},
): Breaker {
  const circuit = new CircuitBreaker(
    async (failed: boolean) => {
      if (failed) throw failure
    },
    {
      timeout: false,
      errorThresholdPercentage: limits.failurePercentage,
      volumeThreshold: limits.minimumCalls,
      rollingCountTimeout: limits.windowMs,
      rollingCountBuckets: BUCKETS,
      rollingPercentilesEnabled: false,
      enableSnapshots: false,
      rotateBucketController: rotation(limits.windowMs),
      resetTimeout: limits.openMs,
    },
  )
  const options = (circuit as unknown as { options: { resetTimeout: number } }).options
  const window = circuit.status as unknown as { rotateBucket(): void }
  const run = createFailureStreak(limits, now)
  let generation = 0
  let openedAt = 0
  let probe: { since: number } | null = null
  let passed = 0
  /** Since it opened, until it has closed again: the probes in between are no news. */
  let broken = false
  let holding: CircuitHold | null = null
  const held = () => (holding !== null && now() < holding.untilMs ? holding : null)

  circuit.on('open', () => {
    if (!broken) onTurn('open')
    broken = true
    generation += 1
    openedAt = now()
    probe = null
    passed = 0
  })
  circuit.on('close', () => {
    if (broken) onTurn('closed')
    broken = false
    generation += 1
    run.end()
    options.resetTimeout = limits.openMs
    // opossum keeps the failures that opened it: left there, the first stray one after a recovery would open it again.
    for (let bucket = 0; bucket < BUCKETS; bucket++) window.rotateBucket()
  })

  const tell = (failed: boolean) => void circuit.fire(failed).catch(() => {})

  function lease(isProbe: boolean, settle: (outcome: 'ok' | 'failed' | 'none') => void): BreakerLease {
    const born = generation
    let done = false
    const once = (outcome: 'ok' | 'failed' | 'none') => {
      if (done) return
      done = true
      if (born === generation) settle(outcome)
    }
    return { succeed: () => once('ok'), fail: () => once('failed'), release: () => once('none'), isProbe }
  }

  function requestScope(): BreakerLease {
    const countedThen = run.counted
    return lease(false, (outcome) => {
      if (outcome === 'none') return
      tell(outcome === 'failed')
      if (outcome === 'ok') run.end()
      else if (run.failed(countedThen) && !circuit.isShutdown) circuit.open()
    })
  }

  function probing(): BreakerLease | null {
    if (probe && now() - probe.since < limits.probeLeaseMs) return null
    const mine = { since: now() }
    probe = mine
    return lease(true, (outcome) => {
      if (probe !== mine) return
      probe = null
      if (outcome === 'failed') {
        options.resetTimeout = Math.min(options.resetTimeout * 1.5, limits.maxOpenMs)
        tell(true)
      } else if (outcome === 'ok' && ++passed >= limits.probes) tell(false)
    })
  }

  return {
    get state() {
      const byHand = held()
      if (byHand) return byHand.state
      return circuit.opened ? 'open' : circuit.halfOpen ? 'half-open' : 'closed'
    },
    admit() {
      const byHand = held()
      if (byHand) return byHand.state === 'open' ? null : unjudged
      if (circuit.opened) return null
      if (circuit.halfOpen) return probing()
      return requestScope()
    },
    retryAfterMs: () => Math.max(100, (held()?.untilMs ?? openedAt + options.resetTimeout) - now()),
    hold(hold) {
      holding = hold
    },
    get held() {
      return held()
    },
    [Symbol.dispose]: () => circuit.shutdown(),
  }
}

const failure = new Error('failed')
