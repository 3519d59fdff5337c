import type { Middleware } from '../context.ts'
import { sendResponse } from './send-response.ts'

const EXPOSED_HEADERS = [
  'Content-Disposition',
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
  'Forecourt-Hint',
].join(', ')
const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Storefront-Shopper-Token, X-Request-Id, X-Sandbox-Fault, Traceparent, Tracestate',
  'Access-Control-Max-Age': '600',
}

/**
 * Responds to preflights, which have no API key. The key's allowlist is enforced on the request that follows.
 * Every response to a browser names its origin, errors too: otherwise the page could not read the error.
 */
export function cors(): Middleware {
  return (ctx, next) => {
    const origin = ctx.req.headers.origin
    if (origin === undefined) return next()
    ctx.set('Access-Control-Allow-Origin', origin)
    ctx.set('Access-Control-Expose-Headers', EXPOSED_HEADERS)
    ctx.vary('Origin')
    if (ctx.method !== 'OPTIONS' || ctx.req.headers['access-control-request-method'] === undefined) return next()
    ctx.state.route = 'preflight'
    return sendResponse(ctx, { status: 204, body: null, headers: PREFLIGHT_HEADERS })
  }
}
