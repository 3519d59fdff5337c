export interface FailureStreakLimits {
  /** Consecutive failures that open the circuit. A call counts if it started after the previous one had failed. */
  streakLength: number
  /** The shortest time from the first to the last of them. */
  minStreakMs: number
  /** The longest time from the first to the last of them. */
  maxStreakMs: number
}

export const failureStreakDefaults: FailureStreakLimits = { streakLength: 5, minStreakMs: 2_000, maxStreakMs: 30_000 }

/** Consecutive failures of a system that is called too seldom for a failure rate to mean anything. */
export interface FailureStreak {
  /** Failures counted so far. A call notes this when it starts, and passes it to `failed`. */
  readonly counted: number
  /** Counts a failure. Returns whether the streak is now long enough to open the circuit. */
  failed(countedAtStart: number): boolean
  end(): void
}

/**
 * Calls that ran at the same time count once, and five quick failures are no streak: a lost connection pool or a short restart fails
 * every call under way, and says nothing about the next one.
 */
export function createFailureStreak(limits: FailureStreakLimits, now: () => number): FailureStreak {
  let failedAt: number[] = []
  let counted = 0
  return {
    get counted() {
      return counted
    },
    failed(countedAtStart) {
      if (countedAtStart !== counted) return false
      counted += 1
      const at = now()
      failedAt = [...failedAt.filter((then) => at - then <= limits.maxStreakMs), at]
      return failedAt.length >= limits.streakLength && at - failedAt[0]! >= limits.minStreakMs
    },
    end() {
      failedAt = []
    },
  }
}
