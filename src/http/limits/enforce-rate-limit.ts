import type { Middleware } from '../context.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** Counts the request against the limits of the key and of its client. A 304 is refunded where it is sent. */
export function enforceRateLimit(limits: RateLimiter): Middleware {
  return (ctx, next) => {
    ctx.state.charge = limits.charge(ctx.state.key!.record, ctx.state.clientAddress)
    return next()
  }
}
