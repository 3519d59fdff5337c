import type { RateLimits } from './rate-limiter.ts'
import type { Middleware } from './context.ts'

/** Charges the key for this request. A 304 is charged and refunded where it is sent. */
export function charged(limits: RateLimits): Middleware {
  return async (ctx, next) => {
    ctx.state.charge = await limits.charge(ctx.state.known!.record)
    return next()
  }
}
