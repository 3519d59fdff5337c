import type { Breaker, BreakerState } from './circuit-breaker.ts'

/** A circuit, as seen by what shares its state with other processes. */
export interface SharedCircuit {
  /** The state that the calls of this process have led to. */
  readonly ownState: BreakerState
  /** Keeps the circuit open until then, because another process has opened it and probes the system; `null`: it does so no longer. */
  follow(untilMs: number | null): void
  /** Another process has opened the circuit. */
  readonly isFollowing: boolean
  /** Returns how many calls have asked for admission since the last time. */
  takeDemand(): number
}

export interface FollowingBreaker extends Breaker {
  readonly shared: SharedCircuit
}

/** Adds the state of other processes to a breaker. An operator's hold is stronger than both. */
export function createFollowingBreaker(breaker: Breaker, now: () => number): FollowingBreaker {
  let followedUntil = Number.NEGATIVE_INFINITY
  let demand = 0
  const isFollowing = () => now() < followedUntil
  const mustFollow = () => breaker.held === null && isFollowing()
  return {
    shared: {
      get ownState() {
        return breaker.state
      },
      get isFollowing() {
        return isFollowing()
      },
      follow(untilMs) {
        // The system may still fail: the first failure opens the circuit here.
        if (untilMs === null) breaker.distrust()
        followedUntil = untilMs ?? Number.NEGATIVE_INFINITY
      },
      takeDemand() {
        const taken = demand
        demand = 0
        return taken
      },
    },
    get state() {
      return mustFollow() ? 'open' : breaker.state
    },
    get held() {
      return breaker.held
    },
    admit() {
      demand += 1
      return mustFollow() ? null : breaker.admit()
    },
    retryAfterMs: () => (mustFollow() ? Math.max(100, followedUntil - now()) : breaker.retryAfterMs()),
    hold: breaker.hold,
    distrust: breaker.distrust,
    [Symbol.dispose]: () => breaker[Symbol.dispose](),
  }
}
