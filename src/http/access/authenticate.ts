import { Problem } from '../../errors.ts'
import type { Context, Middleware } from '../context.ts'
import type { ApiKeyCache, AuthenticatedKey } from './api-key-cache.ts'
import { describeAuthorization } from './invalid-credential-detail.ts'

/** Identifies the API key, which alone determines the merchant and the mode: 401 without a valid key, 403 from an origin that it does not allow. */
export function authenticate(keys: ApiKeyCache): Middleware {
  return async (ctx, next) => {
    const { authorization, origin } = ctx.req.headers
    if (authorization === undefined) throw new Problem('missing_api_key')
    const key = keys.peek(authorization) ?? (await keys.find(authorization))
    if (!key) {
      const ended = keys.ended(authorization)
      if (ended) ctx.state.endedKey = ended
      throw new Problem(...describeAuthorization(authorization))
    }
    ctx.state.key = key
    if (origin !== undefined) assertOriginAllowed(key, origin)
    if (origin !== undefined && key.record.kind === 'secret') keepFromPages(ctx)
    return next()
  }
}

/** No page has this origin (RFC 2606). The console of a browser shows it, as the reason why the page may not read the response. */
const NO_ORIGIN = 'https://secret-key-in-a-page.invalid'
const SECRET_KEY_HINT =
  'A secret key must never be in a page: everybody who opens the page can read it. If a page sent this request, revoke the key (forecourt keys revoke), and use a publishable key (svc_..._pub_...) there.'

/**
 * A server that forwards the headers of a browser sends an Origin with its secret key too, so the request is not refused. A page that has a
 * secret key cannot read the response, and the browser shows why.
 */
function keepFromPages(ctx: Context): void {
  ctx.set('Access-Control-Allow-Origin', NO_ORIGIN)
  ctx.set('Forecourt-Hint', SECRET_KEY_HINT)
}

/** Secret keys have no allowlist: they are never sent from a browser. `*` is for sandbox keys. */
function assertOriginAllowed({ record, origins }: AuthenticatedKey, origin: string): void {
  if (record.kind === 'secret' || origins.has(origin)) return
  if (record.mode === 'sandbox' && origins.has('*')) return
  throw new Problem('origin_not_allowed')
}
