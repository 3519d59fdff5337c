import { Problem } from '../errors.ts'
import type { ApiKeyCache, AuthenticatedKey } from './api-key-cache.ts'
import type { Middleware } from './context.ts'

/** Who asks: the merchant and the mode follow from the key alone. 401 without a good one; 403 from an origin that it does not allow. */
export function authenticate(keys: ApiKeyCache): Middleware {
  return async (ctx, next) => {
    const { authorization, origin } = ctx.req.headers
    if (authorization === undefined) throw new Problem('missing_api_key')
    const known = await keys.find(authorization)
    if (!known) throw new Problem('invalid_api_key')
    ctx.state.known = known
    if (origin !== undefined) judgeOrigin(known, origin)
    if (known.record.kind === 'secret') ctx.remove('Access-Control-Allow-Origin')
    return next()
  }
}

/** Secret keys are not origin-checked: they never are in a browser. `*` is for sandbox keys. */
function judgeOrigin({ record, origins }: AuthenticatedKey, origin: string): void {
  if (record.kind === 'secret' || origins.has(origin)) return
  if (record.mode === 'sandbox' && origins.has('*')) return
  throw new Problem('origin_not_allowed')
}

/** What the route asks of a key: its kind, then its scope. */
export function authorize(scope: string | null): Middleware {
  const publishable = scope === null || scope === 'storefront:catalog' || scope === 'storefront:auth'
  return (ctx, next) => {
    const { record, scopes } = ctx.state.known!
    if (record.kind === 'publishable' && !publishable) throw new Problem('publishable_key_not_allowed')
    if (scope !== null && !scopes.has(scope)) throw new Problem('insufficient_scope')
    return next()
  }
}
