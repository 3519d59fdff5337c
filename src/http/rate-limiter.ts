import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from '../errors.ts'
import type { ApiKey } from '../storage/keys/api-keys.ts'

export const RATE_LIMIT_WINDOW_SECONDS = 60

/** A key's rate limit after one request was counted. */
export interface RateLimitCharge {
  limit: number
  remaining: number
  resetSeconds: number
  /** The end of the current window, in milliseconds since the epoch. */
  endsAt: number
}

export interface RateLimiter {
  /** Counts one request. Throws `rate_limited` when the limit is reached. */
  charge(key: ApiKey): Promise<RateLimitCharge>
  /** Takes one request back, as long as its window lasts. */
  refund(key: ApiKey, charge: RateLimitCharge): Promise<RateLimitCharge>
  /** Adds requests that other processes have counted. */
  countOthers(keyId: string, limit: number, requests: number): Promise<void>
}

/** Limits requests per minute and key; a window starts with the key's first request. There is one limiter per limit in use. */
export function createRateLimiter(): RateLimiter {
  const limiters = new Map<number, RateLimiterMemory>()

  function getLimiter(limit: number): RateLimiterMemory {
    const existing = limiters.get(limit)
    if (existing) return existing
    const limiter = new RateLimiterMemory({ points: limit, duration: RATE_LIMIT_WINDOW_SECONDS })
    limiters.set(limit, limiter)
    return limiter
  }

  return {
    async charge(key) {
      try {
        const { remainingPoints, msBeforeNext } = await getLimiter(key.rate_limit_per_minute).consume(key.key_id)
        return toCharge(key, remainingPoints, msBeforeNext)
      } catch (error) {
        // rate-limiter-flexible rejects with a RateLimiterRes when the limit is reached.
        if (!(error instanceof RateLimiterRes)) throw error
        const charge = toCharge(key, 0, error.msBeforeNext)
        throw new Problem('rate_limited', undefined, {
          headers: { ...toRateLimitHeaders(charge), 'Retry-After': String(Math.max(1, charge.resetSeconds)) },
        })
      }
    },
    async refund(key, charge) {
      if (Date.now() >= charge.endsAt) return charge
      await getLimiter(key.rate_limit_per_minute).reward(key.key_id)
      return { ...charge, remaining: Math.min(charge.limit, charge.remaining + 1) }
    },
    async countOthers(keyId, limit, requests) {
      await getLimiter(limit).penalty(keyId, requests)
    },
  }
}

function toCharge(key: ApiKey, remaining: number, msBeforeNext: number): RateLimitCharge {
  return {
    limit: key.rate_limit_per_minute,
    remaining,
    resetSeconds: Math.ceil(msBeforeNext / 1_000),
    endsAt: Date.now() + msBeforeNext,
  }
}

/** Returns the IETF draft's two fields, and the three older headers that most client libraries read. */
export function toRateLimitHeaders({ limit, remaining, resetSeconds }: RateLimitCharge): Record<string, string> {
  return {
    'RateLimit-Policy': `"key";q=${limit};w=${RATE_LIMIT_WINDOW_SECONDS}`,
    RateLimit: `"key";r=${remaining};t=${resetSeconds}`,
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetSeconds),
  }
}
