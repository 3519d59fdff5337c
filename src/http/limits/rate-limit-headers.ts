import type { RateLimitCharge, RateLimitState } from './rate-limiter.ts'
import { RATE_LIMIT_WINDOW_SECONDS } from './request-windows.ts'

/** The limits on all requests, as operators see them. */
export type RequestLimit = 'key' | 'client'

/** The limits that a response reports, by their names in `RateLimit`. */
export interface ReportedLimits {
  key?: RateLimitState
  client?: RateLimitState | undefined
}

/**
 * Returns the IETF draft's two fields, with each limit, and the three older headers that most client libraries read: these report the limit
 * with the fewest requests left.
 */
export const toRateLimitHeaders = (charge: RateLimitCharge): Record<RateLimitHeader, string> =>
  toReportedHeaders({ key: charge, client: charge.client })

type RateLimitHeader =
  | 'RateLimit-Policy'
  | 'RateLimit'
  | 'X-RateLimit-Limit'
  | 'X-RateLimit-Remaining'
  | 'X-RateLimit-Reset'

/** Returns the headers for the limits, at least one. */
export function toReportedHeaders({ key, client }: ReportedLimits): Record<RateLimitHeader, string> {
  const nearest = !key || (client && client.remaining <= key.remaining) ? client! : key
  const both = key !== undefined && client !== undefined
  const name = key ? 'key' : 'client'
  return {
    'RateLimit-Policy': both
      ? `${formatPolicy('key', key)}, ${formatPolicy('client', client)}`
      : formatPolicy(name, nearest),
    RateLimit: both
      ? `${formatRemaining('key', key)}, ${formatRemaining('client', client)}`
      : formatRemaining(name, nearest),
    'X-RateLimit-Limit': `${nearest.limit}`,
    'X-RateLimit-Remaining': `${nearest.remaining}`,
    'X-RateLimit-Reset': `${nearest.resetSeconds}`,
  }
}

const formatPolicy = (name: string, { limit }: RateLimitState) => `"${name}";q=${limit};w=${RATE_LIMIT_WINDOW_SECONDS}`
const formatRemaining = (name: string, { remaining, resetSeconds }: RateLimitState) =>
  `"${name}";r=${remaining};t=${resetSeconds}`
