import type { Middleware } from './context.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** Charges the key for this request. A 304 is charged and refunded where it is sent. */
export function rateLimit(limits: RateLimiter): Middleware {
  return async (ctx, next) => {
    ctx.state.charge = await limits.charge(ctx.state.known!.record)
    return next()
  }
}
