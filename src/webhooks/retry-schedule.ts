const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** The delay before each attempt, counted from the previous one: nine attempts in about 51.6 hours. */
export const RETRY_DELAYS_MS: readonly number[] = [
  0,
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
]
/** ± 20 %, so that deliveries which failed together are not retried together. */
const JITTER = 0.2

/** Returns the delay after an attempt (counted from 1) until the next one; `null`: it was the last. `random`: from 0 to 1. */
export function computeRetryDelayMs(attempt: number, retryAfterMs: number | null, random: number): number | null {
  const delay = RETRY_DELAYS_MS[attempt]
  if (delay === undefined) return null
  return Math.max(Math.round(delay * (1 - JITTER + 2 * JITTER * random)), retryAfterMs ?? 0)
}
