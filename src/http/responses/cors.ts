import type { Context, Middleware } from '../context.ts'
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
/** With the last two, a request has no effect. They are allowed so that the page can read why. */
const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Storefront-Shopper-Token, X-Request-Id, X-Sandbox-Fault, Traceparent, Tracestate, X-API-Key, X-Shopper-Token',
  'Access-Control-Max-Age': '600',
}

/** No page has this origin (RFC 2606). The console of a browser shows it, as the reason why the page may not read the response. */
const NO_ORIGIN = 'https://secret-key-in-a-page.invalid'
const SECRET_KEY_HINT =
  'A secret key must never be in a page: everybody who opens the page can read it. If a page sent this request, revoke the key (forecourt keys revoke), and use a publishable key (svc_..._pub_...) there.'

/**
 * Responds to preflights, which have no API key. The key's allowlist is enforced on the request that follows.
 * Every response to a browser names its origin, errors too: otherwise the page could not read the error.
 */
export function cors(): Middleware {
  return (ctx, next) => {
    const { origin } = ctx.req.headers
    return origin === undefined ? next() : respondToOrigin(ctx, origin, next)
  }
}

async function respondToOrigin(ctx: Context, origin: string, next: () => Promise<unknown>): Promise<void> {
  ctx.set('Access-Control-Allow-Origin', origin)
  ctx.set('Access-Control-Expose-Headers', EXPOSED_HEADERS)
  ctx.vary('Origin')
  if (ctx.method === 'OPTIONS' && ctx.req.headers['access-control-request-method'] !== undefined) {
    ctx.state.route = 'preflight'
    sendResponse(ctx, { status: 204, body: null, headers: PREFLIGHT_HEADERS })
    return
  }
  await next()
  if (ctx.state.key?.record.kind === 'secret') keepFromPages(ctx)
}

/**
 * A server that forwards the headers of a browser sends an Origin with its secret key too, so the request is not refused. A page that has a
 * secret key cannot read the response, and the browser shows why. No other hint is as urgent.
 */
function keepFromPages(ctx: Context): void {
  ctx.set('Access-Control-Allow-Origin', NO_ORIGIN)
  ctx.set('Forecourt-Hint', SECRET_KEY_HINT)
}
