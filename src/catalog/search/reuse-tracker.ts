/** Allows old values for a while, so that a catalog that changes all the time is not read again for each search. */
export interface Reuse {
  /** Returns whether a value that was read at `readAt` may be used although it has changed since, and records that it is. */
  tryReuse(readAt: number): boolean
  now(): number
}

/** Remembers which old values one search has used. */
export interface ReuseTracker {
  /** `reuseMs`: for how long a value may be used after it was read. */
  during(reuseMs: number): Reuse
  /** Returns the result of `work`, and until when it holds; `Infinity`: no old value was used. */
  track<T>(work: () => T): { value: T; until: number }
  /** Forbids the reuse of all values that were read before. */
  forget(): void
  /** Returns whether a value of this time was forgotten. */
  hasForgotten(readAt: number): boolean
}

export function createReuseTracker(now: () => number): ReuseTracker {
  let until = Number.POSITIVE_INFINITY
  let forgottenAt = Number.NEGATIVE_INFINITY
  const hasForgotten = (readAt: number) => readAt <= forgottenAt
  return {
    during: (reuseMs) => ({
      now,
      tryReuse(readAt) {
        if (hasForgotten(readAt) || now() - readAt >= reuseMs) return false
        until = Math.min(until, readAt + reuseMs)
        return true
      },
    }),
    track(work) {
      until = Number.POSITIVE_INFINITY
      const value = work()
      return { value, until }
    },
    forget() {
      forgottenAt = now()
    },
    hasForgotten,
  }
}
