import type { BreakerState } from './circuit-breaker.ts'
import type { FailureCount } from './recent-failure-kinds.ts'

/** A circuit, as seen by what shares its state with other processes. */
export interface SharedCircuit {
  /** The state that the calls of this process have led to. */
  readonly ownState: BreakerState
  /** The failures of this process's calls that opened it last. */
  readonly openedBy: readonly FailureCount[]
  /**
   * Keeps the circuit open until then, because another process, the leader, has opened it and probes the system. `openedBy`: the failures of the
   * leader's calls. Every half minute or so, one call tries the system nevertheless. If it succeeds, this process no longer follows the leader, until
   * the circuit opens here too.
   */
  follow(untilMs: number, leader: string, openedBy?: readonly FailureCount[]): void
  /** No other process keeps the circuit open any more. */
  unfollow(): void
  /** Another process has opened the circuit. */
  readonly isFollowing: boolean
  /** Returns how many calls have asked for admission since the last time. */
  takeDemand(): number
}
