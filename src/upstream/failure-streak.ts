export interface FailureStreakLimits {
  /** Failures in a row, each of a call that set out after the one before it had failed, that open the circuit. */
  runLength: number
  /** From the first to the last of them: at the least, */
  runLastsMs: number
  /** and at the most. */
  runWithinMs: number
}

export const failureStreakDefaults: FailureStreakLimits = { runLength: 5, runLastsMs: 2_000, runWithinMs: 30_000 }

/** The failures since the last success of a system that is asked too seldom for a share of its calls to mean anything. */
export interface FailureStreak {
  /** How many have ever counted: to be noted when a call sets out, and given back if it fails. */
  readonly counted: number
  /** Whether it has now gone on for long enough. */
  failed(countedThen: number): boolean
  end(): void
}

/**
 * Calls that were under way together count once, and five quick refusals are no run either: one lost pool of connections
 * or a restart of a moment fails a whole burst, and says nothing of the next question.
 */
export function createFailureStreak(limits: FailureStreakLimits, now: () => number): FailureStreak {
  let failedAt: number[] = []
  let counted = 0
  return {
    get counted() {
      return counted
    },
    failed(countedThen) {
      if (countedThen !== counted) return false
      counted += 1
      const at = now()
      failedAt = [...failedAt.filter((then) => at - then <= limits.runWithinMs), at]
      return failedAt.length >= limits.runLength && at - failedAt[0]! >= limits.runLastsMs
    },
    end() {
      failedAt = []
    },
  }
}
