import type { Breaker, BreakerLease } from './circuit-breaker.ts'
import { createFollowerProbeSchedule } from './follower-probe-schedule.ts'
import type { FailureCount } from './recent-failure-kinds.ts'
import type { SharedCircuit } from './shared-circuit.ts'

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
  let leaderOpenedBy: readonly FailureCount[] = []
  let demand = 0
  const isFollowing = () => now() < followedUntil
  const mustFollow = () => breaker.held === null && isFollowing()

  function follow(untilMs: number, leader: string, openedBy: readonly FailureCount[] = []): void {
    if (breaker.held === null && breaker.state !== 'closed') probes.forgetIgnored()
    if (!probes.mayFollow(leader)) return
    followedUntil = untilMs
    leaderOpenedBy = openedBy
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
      get openedBy() {
        return breaker.openedBy
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
    get openedBy() {
      return mustFollow() && leaderOpenedBy.length > 0 ? leaderOpenedBy : breaker.openedBy
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
