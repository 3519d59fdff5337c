/** A bucket of calls: it admits a certain number of calls a minute. */
export interface TokenBucket {
  /** Takes the right to one call; `false`: there is none at this moment. */
  take(): boolean
  /** Milliseconds until there may be one. */
  msUntilNext(): number
}

/** The calls that may be made at once after a quiet time, as a share of those of a minute. */
const BURST_SHARE = 0.05
const MINUTE_MS = 60_000

/** The size of the bucket and the time in which one call is earned: together never more than `perMinute` calls in any minute. */
export function toBucketTerms(perMinute: number): { burst: number; earnedInMs: number } {
  const burst = Math.max(1, Math.floor(perMinute * BURST_SHARE))
  return { burst, earnedInMs: MINUTE_MS / (perMinute - burst) }
}

/** Creates the bucket of a process that shares the limit with no other. `now`: milliseconds. */
export function createTokenBucket(perMinute: number, now: () => number): TokenBucket {
  const { burst, earnedInMs } = toBucketTerms(perMinute)
  let tokens = burst
  let countedAt = now()

  function earn(): void {
    const at = now()
    // A clock that was set back earns nothing until it has caught up.
    tokens = Math.min(burst, tokens + Math.max(0, at - countedAt) / earnedInMs)
    countedAt = at
  }

  return {
    take() {
      earn()
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
    msUntilNext() {
      earn()
      return Math.max(0, (1 - tokens) * earnedInMs)
    },
  }
}
