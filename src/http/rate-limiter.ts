import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from '../errors.ts'
import type { ApiKey } from '../storage/keys/api-keys.ts'

export const RATE_LIMIT_WINDOW_SECONDS = 60

/** What is left of a key's minute after a charge. */
export interface RateLimitCharge {
  limit: number
  remaining: number
  resetSeconds: number
  /** Milliseconds since the epoch: the end of the minute that was charged. */
  endsAt: number
}

export interface RateLimiter {
  /** Charges one request. Throws `rate_limited` when the minute is used up. */
  charge(key: ApiKey): Promise<RateLimitCharge>
  /** Gives the charge of a request back, as long as its minute lasts. */
  refund(key: ApiKey, charge: RateLimitCharge): Promise<RateLimitCharge>
  /** Charges what other processes have let through, of a key with this limit. */
  countOthers(keyId: string, limit: number, requests: number): Promise<void>
}

/** Requests a minute for each key, counted from its first request; a limiter for each limit in use. */
export function createRateLimiter(): RateLimiter {
  const limiters = new Map<number, RateLimiterMemory>()

  function limiterOf(limit: number): RateLimiterMemory {
    const existing = limiters.get(limit)
    if (existing) return existing
    const limiter = new RateLimiterMemory({ points: limit, duration: RATE_LIMIT_WINDOW_SECONDS })
    limiters.set(limit, limiter)
    return limiter
  }

  return {
    async charge(key) {
      try {
        const { remainingPoints, msBeforeNext } = await limiterOf(key.rate_limit_per_minute).consume(key.key_id)
        return chargeOf(key, remainingPoints, msBeforeNext)
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        const charge = chargeOf(key, 0, refused.msBeforeNext)
        throw new Problem('rate_limited', undefined, {
          headers: { ...toRateLimitHeaders(charge), 'Retry-After': String(Math.max(1, charge.resetSeconds)) },
        })
      }
    },
    async refund(key, charge) {
      if (Date.now() >= charge.endsAt) return charge
      await limiterOf(key.rate_limit_per_minute).reward(key.key_id)
      return { ...charge, remaining: Math.min(charge.limit, charge.remaining + 1) }
    },
    async countOthers(keyId, limit, requests) {
      await limiterOf(limit).penalty(keyId, requests)
    },
  }
}

function chargeOf(key: ApiKey, remaining: number, msBeforeNext: number): RateLimitCharge {
  return {
    limit: key.rate_limit_per_minute,
    remaining,
    resetSeconds: Math.ceil(msBeforeNext / 1_000),
    endsAt: Date.now() + msBeforeNext,
  }
}

/** The IETF draft's two fields, and the older trio that most client libraries read. */
export function toRateLimitHeaders({ limit, remaining, resetSeconds }: RateLimitCharge): Record<string, string> {
  return {
    'RateLimit-Policy': `"key";q=${limit};w=${RATE_LIMIT_WINDOW_SECONDS}`,
    RateLimit: `"key";r=${remaining};t=${resetSeconds}`,
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetSeconds),
  }
}
