const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** Before each attempt, since the one before: nine attempts in about 51.6 hours. */
export const RETRY_DELAYS_MS: readonly number[] = [
  ...[0, 5_000, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2, 5, 10, 14, 20].map((hours) => hours * HOUR_MS),
]
/** A fifth more or less, so that what failed together does not come back together. */
const JITTER = 0.2

/** How long after the attempt of that number (from 1) the next is made; `null`: that was the last. `random`: from 0 to 1. */
export function computeRetryDelayMs(attempt: number, retryAfterMs: number | null, random: number): number | null {
  const delay = RETRY_DELAYS_MS[attempt]
  if (delay === undefined) return null
  return Math.max(Math.round(delay * (1 - JITTER + 2 * JITTER * random)), retryAfterMs ?? 0)
}
