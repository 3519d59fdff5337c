import type { Middleware } from './context.ts'

const EXPOSED = [
  'ETag',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Service-Mode',
  'X-Request-Id',
  'Idempotent-Replayed',
  'Forecourt-Complete',
  'Cache-Status',
].join(', ')
const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Storefront-Shopper-Token, X-Request-Id, X-Sandbox-Fault, Traceparent, Tracestate'
const ALLOWED_METHODS = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS'
const PREFLIGHT_KEPT_SECONDS = '600'

/**
 * A preflight has no key, so it is answered before one is asked for; the key's allowlist is enforced on the real request.
 * Every answer to a browser names its origin, failures too: without that the page could not read why it was refused.
 */
export function cors(): Middleware {
  return (ctx, next) => {
    const origin = ctx.req.headers.origin
    if (origin === undefined) return next()
    ctx.set('Access-Control-Allow-Origin', origin)
    ctx.set('Access-Control-Expose-Headers', EXPOSED)
    ctx.vary('Origin')
    if (ctx.method !== 'OPTIONS' || ctx.req.headers['access-control-request-method'] === undefined) return next()
    ctx.state.route = 'preflight'
    ctx.set('Access-Control-Allow-Methods', ALLOWED_METHODS)
    ctx.set('Access-Control-Allow-Headers', ALLOWED_HEADERS)
    ctx.set('Access-Control-Max-Age', PREFLIGHT_KEPT_SECONDS)
    ctx.status = 204
    return undefined
  }
}
