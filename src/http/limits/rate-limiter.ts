import type { ApiKey } from '../../storage/keys/api-keys.ts'

/** A rate limit after one request was counted. */
export interface RateLimitState {
  limit: number
  remaining: number
  resetSeconds: number
  /** The end of the current window, by a monotonic clock. */
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
  charge(key: ApiKey, clientAddress: string): RateLimitCharge
  /** Takes one request back, as long as its windows last. */
  refund(key: ApiKey, charge: RateLimitCharge): RateLimitCharge
}
