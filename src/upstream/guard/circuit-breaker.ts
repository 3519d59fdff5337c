import { EventEmitter } from 'node:events'
import CircuitBreaker from 'opossum'
import type { BreakerLimits } from './breaker-limits.ts'
import { createFailureStreak } from './failure-streak.ts'
import { createRecentFailureKinds, type FailureCount } from './recent-failure-kinds.ts'

/** Permission for one call. The first of `succeed`, `fail` and `release` ends it; later ones do nothing. */
export interface BreakerLease {
  succeed(): void
  /** `kind`: how the call failed, for the cause of an open circuit. */
  fail(kind?: string): void
  /** Ends without a verdict: the response says nothing about the system's health, or nobody waited for it. */
  release(): void
  /** The call decides whether the circuit closes. */
  readonly isProbe: boolean
}

export type BreakerState = 'closed' | 'open' | 'half-open'

export interface Breaker extends Disposable {
  readonly state: BreakerState
  /** Admits a call; `null`: not now, see `retryAfterMs`. */
  admit(): BreakerLease | null
  retryAfterMs(): number
  /** The failures that opened the circuit last, the most frequent kind first. */
  readonly openedBy: readonly FailureCount[]
  /** The next call decides: if it fails, the circuit opens at once. */
  distrust(): void
  /** Closes an open or half-open circuit without more probes: the next call decides. */
  close(): void
  /** Holds the circuit open or closed for an operator, whatever the calls' results; `null` ends the hold. */
  hold(hold: CircuitHold | null): void
  /** The hold in force, or `null`. */
  readonly held: CircuitHold | null
}

export interface CircuitHold {
  state: 'open' | 'closed'
  /** Milliseconds since the epoch. */
  untilMs: number
  /** The operator's name. */
  by: string
  /** Held open for planned maintenance. */
  isMaintenance?: boolean
}

/** A call without a verdict. */
const withoutVerdict: BreakerLease = { succeed() {}, fail() {}, release() {}, isProbe: false }

const BUCKETS = 6
const rotations = new Map<number, EventEmitter>()

/** One timer for all breakers with the same window: with a timer each, thousands of idle breakers take a whole core. */
function rotation(windowMs: number): EventEmitter {
  const existing = rotations.get(windowMs)
  if (existing) return existing
  const emitter = new EventEmitter().setMaxListeners(0)
  setInterval(() => emitter.emit('rotate'), windowMs / BUCKETS).unref()
  rotations.set(windowMs, emitter)
  return emitter
}

/**
 * A circuit breaker around opossum, which keeps the rolling window and the states. It receives results and never runs the work, so a
 * late response from before the last change of state, a 404, an aborted call or our own overload cannot change its state, and a probe that
 * hangs cannot keep it half-open.
 */
export function createBreaker(
  limits: BreakerLimits,
  now: () => number = Date.now,
  onCircuitChange: (state: 'open' | 'closed', failures: FailureCount[]) => void = () => {},
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
  const streak = createFailureStreak(limits, now)
  const recentFailures = createRecentFailureKinds(now)
  /** How far back the failures that opened the circuit may lie: a streak takes longer than the window. */
  let causesMs = limits.windowMs
  let succeededAt = 0
  let generation = 0
  let openedAt = 0
  let probe: { since: number } | null = null
  let passedProbes = 0
  let idleTimer: NodeJS.Timeout | undefined
  /** The circuit closed without a successful call. */
  let isUnproven = false
  /** From opening until closed again: probes in between are not reported. */
  let hasOpened = false
  let openedBy: readonly FailureCount[] = []
  let currentHold: CircuitHold | null = null
  const held = () => (currentHold !== null && now() < currentHold.untilMs ? currentHold : null)

  circuit.on('open', () => {
    if (!hasOpened) {
      const failures = recentFailures.within(causesMs)
      openedBy = failures
      onCircuitChange('open', failures)
    }
    hasOpened = true
    generation += 1
    openedAt = now()
    probe = null
    passedProbes = 0
    isUnproven = false
    clearTimeout(idleTimer)
  })
  circuit.on('halfOpen', restartIdleTimer)
  circuit.on('close', () => {
    if (hasOpened) onCircuitChange('closed', [])
    openedBy = []
    hasOpened = false
    generation += 1
    clearTimeout(idleTimer)
    streak.end()
    recentFailures.clear()
    causesMs = limits.windowMs
    options.resetTimeout = limits.openMs
    // opossum keeps the failures that opened the circuit. Without this, one failure after a recovery would open it again.
    for (let bucket = 0; bucket < BUCKETS; bucket++) window.rotateBucket()
  })

  /** Without calls there are no probes, so a system that nobody uses would otherwise count as failing until somebody uses it. */
  function restartIdleTimer(): void {
    clearTimeout(idleTimer)
    idleTimer = setTimeout(() => {
      if (held()) return restartIdleTimer()
      circuit.close()
      isUnproven = true
    }, limits.idleMs).unref()
  }

  const report = (failed: boolean) => void circuit.fire(failed).catch(() => {})

  function lease(isProbe: boolean, settle: (outcome: 'ok' | 'failed' | 'none') => void): BreakerLease {
    const atGeneration = generation
    let isEnded = false
    const once = (outcome: 'ok' | 'failed' | 'none') => {
      if (isEnded) return
      isEnded = true
      if (atGeneration === generation) settle(outcome)
    }
    const fail = (kind?: string) => {
      if (!isEnded && atGeneration === generation && kind !== undefined) recentFailures.add(kind)
      once('failed')
    }
    return { succeed: () => once('ok'), fail, release: () => once('none'), isProbe }
  }

  function normalLease(): BreakerLease {
    const countedAtStart = streak.counted
    return lease(false, (outcome) => {
      if (outcome === 'none') return
      report(outcome === 'failed')
      if (outcome === 'ok') {
        streak.end()
        succeededAt = now()
        isUnproven = false
      } else if ((streak.failed(countedAtStart) || isUnproven) && !circuit.isShutdown) {
        // A success ends a streak: what failed before it did not open the circuit.
        causesMs = Math.min(Math.max(limits.windowMs, limits.maxStreakMs), now() - succeededAt)
        circuit.open()
      }
    })
  }

  function probeLease(): BreakerLease | null {
    if (probe && now() - probe.since < limits.probeLeaseMs) return null
    const mine = { since: now() }
    probe = mine
    restartIdleTimer()
    return lease(true, (outcome) => {
      if (probe !== mine) return
      probe = null
      if (outcome === 'failed') {
        options.resetTimeout = Math.min(options.resetTimeout * 1.5, limits.maxOpenMs)
        report(true)
      } else if (outcome === 'ok' && ++passedProbes >= limits.probes) report(false)
    })
  }

  return {
    get state() {
      const hold = held()
      if (hold) return hold.state
      return circuit.opened ? 'open' : circuit.halfOpen ? 'half-open' : 'closed'
    },
    admit() {
      const hold = held()
      if (hold) return hold.state === 'open' ? null : withoutVerdict
      if (circuit.opened) return null
      if (circuit.halfOpen) return probeLease()
      return normalLease()
    },
    retryAfterMs: () => Math.max(100, (held()?.untilMs ?? openedAt + options.resetTimeout) - now()),
    distrust() {
      isUnproven = true
    },
    close() {
      if (circuit.closed) return
      circuit.close()
      isUnproven = true
    },
    hold(hold) {
      currentHold = hold
    },
    get openedBy() {
      return openedBy
    },
    get held() {
      return held()
    },
    [Symbol.dispose]() {
      clearTimeout(idleTimer)
      circuit.shutdown()
    },
  }
}

const failure = new Error('failed')
