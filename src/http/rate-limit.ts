import type { Middleware } from './context.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** Counts the request against the key's rate limit. A 304 is refunded where it is sent. */
export function rateLimit(limits: RateLimiter): Middleware {
  return async (ctx, next) => {
    ctx.state.charge = await limits.charge(ctx.state.key!.record)
    return next()
  }
}
