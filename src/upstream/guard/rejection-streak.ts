import type { UpstreamFailure } from '../../errors.ts'

/** Counts consecutive calls that a system rejected, without a successful one in between. They do not open its circuit. */
export interface RejectionStreak {
  succeeded(): void
  failed(failure: UpstreamFailure): void
  /** True if every recent call was rejected, and so many were that one shopper cannot have caused them all. */
  readonly isLong: boolean
}

const MIN_CALLS = 5
const MIN_MS = 2_000
/** A streak ends after this time without a rejection. Change feeds retry more often. */
const RECENT_MS = 300_000

const rejections: ReadonlySet<UpstreamFailure> = new Set(['rejected', 'misconfigured'])

export function createRejectionStreak(now: () => number): RejectionStreak {
  let calls = 0
  let firstAt = 0
  let lastAt = Number.NEGATIVE_INFINITY
  return {
    succeeded() {
      calls = 0
    },
    failed(failure) {
      if (!rejections.has(failure)) return
      const at = now()
      if (calls === 0 || at - lastAt > RECENT_MS) {
        calls = 0
        firstAt = at
      }
      calls += 1
      lastAt = at
    },
    get isLong() {
      return calls >= MIN_CALLS && lastAt - firstAt >= MIN_MS && now() - lastAt <= RECENT_MS
    },
  }
}
