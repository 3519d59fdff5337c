import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from '../errors.ts'
import type { ApiKey } from '../storage/keys/api-keys.ts'

export const RATE_LIMIT_WINDOW_SECONDS = 60

/** A rate limit after one request was counted. */
export interface RateLimitState {
  limit: number
  remaining: number
  resetSeconds: number
  /** The end of the current window, in milliseconds since the epoch. */
  endsAt: number
}

export interface ClientRateLimitCharge extends RateLimitState {
  /** The key and the client's network. */
  client: string
}

/** A key's rate limit after one request was counted, and that of its client. */
export interface RateLimitCharge extends RateLimitState {
  /** Absent for a secret key. */
  client?: ClientRateLimitCharge
}

/** The limits of keys and of their clients. */
export interface RateLimiter {
  /** Counts one request. Throws `rate_limited` when a limit is reached. */
  charge(key: ApiKey, clientAddress: string): Promise<RateLimitCharge>
  /** Takes one request back, as long as its windows last. */
  refund(key: ApiKey, charge: RateLimitCharge): Promise<RateLimitCharge>
}

/** The limits of keys alone. */
export interface KeyRateLimiter extends Pick<RateLimiter, 'refund'> {
  charge(key: ApiKey): Promise<RateLimitCharge>
  /** Adds requests that other processes have counted. */
  countOthers(keyId: string, limit: number, requests: number): Promise<void>
}

/** Limits requests per minute and key; a window starts with the key's first request. There is one limiter per limit in use. */
export function createRateLimiter(): KeyRateLimiter {
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
        throw createRateLimitedProblem({ key: toCharge(key, 0, error.msBeforeNext) })
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

/** The limits that a response reports, by their names in `RateLimit`. */
interface ReportedLimits {
  key?: RateLimitState
  client?: RateLimitState | undefined
}

/** Creates the 429 for the limits that are reached. */
export function createRateLimitedProblem(limits: ReportedLimits, detail?: string): Problem {
  const headers = toHeaders(limits)
  const retryAfter = String(Math.max(1, Number(headers['X-RateLimit-Reset'])))
  return new Problem('rate_limited', detail, { headers: { ...headers, 'Retry-After': retryAfter } })
}

/**
 * Returns the IETF draft's two fields, with each limit, and the three older headers that most client libraries read: these report the limit
 * with the fewest requests left.
 */
export const toRateLimitHeaders = (charge: RateLimitCharge): Record<RateLimitHeader, string> =>
  toHeaders({ key: charge, client: charge.client })

type RateLimitHeader =
  | 'RateLimit-Policy'
  | 'RateLimit'
  | 'X-RateLimit-Limit'
  | 'X-RateLimit-Remaining'
  | 'X-RateLimit-Reset'

function toHeaders({ key, client }: ReportedLimits): Record<RateLimitHeader, string> {
  const nearest = !key || (client && client.remaining <= key.remaining) ? client! : key
  return {
    'RateLimit-Policy': join(key && formatPolicy('key', key), client && formatPolicy('client', client)),
    RateLimit: join(key && formatRemaining('key', key), client && formatRemaining('client', client)),
    'X-RateLimit-Limit': `${nearest.limit}`,
    'X-RateLimit-Remaining': `${nearest.remaining}`,
    'X-RateLimit-Reset': `${nearest.resetSeconds}`,
  }
}

const formatPolicy = (name: string, { limit }: RateLimitState) => `"${name}";q=${limit};w=${RATE_LIMIT_WINDOW_SECONDS}`
const formatRemaining = (name: string, { remaining, resetSeconds }: RateLimitState) =>
  `"${name}";r=${remaining};t=${resetSeconds}`
const join = (key: string | undefined, client: string | undefined) =>
  key && client ? `${key}, ${client}` : (key ?? client!)
