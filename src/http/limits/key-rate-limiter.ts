import type { ApiKey } from '../../storage/keys/api-keys.ts'
import { createRateLimitedProblem } from './rate-limited-problem.ts'
import type { RateLimitCharge, RateLimiter, RateLimitState } from './rate-limiter.ts'
import { readMonotonicMs } from './read-monotonic-ms.ts'
import { createRequestWindows, type RequestWindow } from './request-windows.ts'

/** The limits of keys alone. */
export interface KeyRateLimiter extends Pick<RateLimiter, 'refund'> {
  charge(key: ApiKey): RateLimitCharge
  /** Adds requests that other processes have counted. */
  countOthers(keyId: string, requests: number): void
}

const REFUSAL = 'The rate limit of the API key has been exceeded; see Retry-After.'
/** The number of keys that are remembered. */
const MAX_KEYS = 10_000

/** Limits requests per minute and key; a window starts with the key's first request. `now`: a monotonic clock. */
export function createKeyRateLimiter(now: () => number = readMonotonicMs): KeyRateLimiter {
  const windows = createRequestWindows(MAX_KEYS)
  return {
    charge({ key_id, rate_limit_per_minute: limit }) {
      const at = now()
      const window = windows.open(key_id, at)
      if (window.count >= limit) throw createRateLimitedProblem({ key: toRateLimitState(limit, window, at) }, REFUSAL)
      window.count += 1
      return toRateLimitState(limit, window, at)
    },
    refund({ key_id }, charge) {
      const window = windows.find(key_id, charge.endsAt)
      if (!window || now() >= window.endsAt) return charge
      window.count -= 1
      return { ...charge, remaining: Math.min(charge.limit, charge.remaining + 1) }
    },
    countOthers(keyId, requests) {
      windows.open(keyId, now()).count += requests
    },
  }
}

export const toRateLimitState = (limit: number, { count, endsAt }: RequestWindow, at: number): RateLimitState => ({
  limit,
  remaining: Math.max(0, limit - count),
  resetSeconds: Math.ceil((endsAt - at) / 1_000),
  endsAt,
})
