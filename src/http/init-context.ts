import type { Mode } from '../config/config.ts'
import { parseKeyMode } from '../storage/keys/api-key-format.ts'
import type { Middleware } from './context.ts'
import { toRateLimitHeaders } from './rate-limiter.ts'
import { toRequestId } from './request-id.ts'

/** The mode that an Authorization header claims: it follows from the prefix of the key alone, and is echoed on every answer. */
export function readClaimedMode(authorization: string | undefined): Mode {
  return parseKeyMode(authorization?.replace(/^Bearer +/i, '') ?? '')
}

/** A picture's address has its mode in it, and needs no key. */
const PICTURE = /^\/media\/[^/]+\/(live|sandbox)\//

function modeAt(path: string): Mode | undefined {
  return path.startsWith('/media/') ? (PICTURE.exec(path)?.[1] as Mode | undefined) : undefined
}

/** Names the request and its mode, before anything can fail; every answer tells them, and what is left of the key's minute. */
export function initContext(): Middleware {
  return async (ctx, next) => {
    const requestId = toRequestId(ctx.req.headers['x-request-id'])
    const mode = modeAt(ctx.path) ?? readClaimedMode(ctx.req.headers.authorization)
    ctx.state = {
      requestId,
      mode,
      startedAt: performance.now(),
      customerId: null,
      params: {},
      query: {},
      body: undefined,
    }
    await next()
    if (ctx.respond === false) return
    ctx.set('X-Request-Id', requestId)
    ctx.set('X-Service-Mode', ctx.state.mode)
    if (ctx.state.charge) ctx.set(toRateLimitHeaders(ctx.state.charge))
  }
}
