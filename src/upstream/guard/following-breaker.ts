import type { Breaker, BreakerLease, BreakerState } from './circuit-breaker.ts'
import { createFollowerProbeSchedule } from './follower-probe-schedule.ts'

/** A circuit, as seen by what shares its state with other processes. */
export interface SharedCircuit {
  /** The state that the calls of this process have led to. */
  readonly ownState: BreakerState
  /**
   * Keeps the circuit open until then, because another process, the leader, has opened it and probes the system. Every half minute or so, one call
   * tries the system nevertheless. If it succeeds, this process no longer follows the leader, until the circuit opens here too.
   */
  follow(untilMs: number, leader: string): void
  /** No other process keeps the circuit open any more. */
  unfollow(): void
  /** Another process has opened the circuit. */
  readonly isFollowing: boolean
  /** Returns how many calls have asked for admission since the last time. */
  takeDemand(): number
}

export interface FollowingBreaker extends Breaker {
  readonly shared: SharedCircuit
}

/** Adds the state of other processes to a breaker. An operator's hold is stronger than both. */
export function createFollowingBreaker(
  breaker: Breaker,
  now: () => number,
  random: () => number = Math.random,
): FollowingBreaker {
  const probes = createFollowerProbeSchedule(now, random)
  let followedUntil = Number.NEGATIVE_INFINITY
  let demand = 0
  const isFollowing = () => now() < followedUntil
  const mustFollow = () => breaker.held === null && isFollowing()

  function follow(untilMs: number, leader: string): void {
    if (breaker.held === null && breaker.state !== 'closed') probes.forgetIgnored()
    if (probes.mayFollow(leader)) followedUntil = untilMs
  }

  function unfollow(): void {
    // The system may still fail: the first failure opens the circuit here. A leader that was ignored says nothing about it.
    if (followedUntil !== Number.NEGATIVE_INFINITY) breaker.distrust()
    followedUntil = Number.NEGATIVE_INFINITY
  }

  function becomeIndependent(): void {
    probes.ignoreLeader()
    followedUntil = Number.NEGATIVE_INFINITY
    breaker.close()
  }

  function admitProbe(): BreakerLease | null {
    const lease = probes.isDue ? breaker.admit() : null
    if (!lease) return null
    probes.begin()
    let isEnded = false
    const end = (settle: () => void) => {
      isEnded = true
      settle()
    }
    const succeed = () => {
      const isNews = !isEnded && isFollowing()
      end(lease.succeed)
      if (isNews) becomeIndependent()
    }
    return { succeed, fail: (kind) => end(() => lease.fail(kind)), release: () => end(lease.release), isProbe: true }
  }

  return {
    shared: {
      get ownState() {
        return breaker.state
      },
      get isFollowing() {
        return isFollowing()
      },
      follow,
      unfollow,
      takeDemand() {
        const taken = demand
        demand = 0
        return taken
      },
    },
    get state() {
      if (!mustFollow()) return breaker.state
      return probes.isDue && breaker.state !== 'open' ? 'half-open' : 'open'
    },
    get held() {
      return breaker.held
    },
    admit() {
      demand += 1
      return mustFollow() ? admitProbe() : breaker.admit()
    },
    retryAfterMs: () => (mustFollow() ? Math.max(100, followedUntil - now()) : breaker.retryAfterMs()),
    hold: breaker.hold,
    distrust: breaker.distrust,
    close: breaker.close,
    [Symbol.dispose]: () => breaker[Symbol.dispose](),
  }
}
