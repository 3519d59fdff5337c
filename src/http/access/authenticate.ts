import { Problem } from '../../errors.ts'
import type { Middleware } from '../context.ts'
import type { ApiKeyCache, AuthenticatedKey } from './api-key-cache.ts'
import { describeInvalidAuthorization } from './invalid-credential-detail.ts'

/** Identifies the API key, which alone determines the merchant and the mode: 401 without a valid key, 403 from an origin that it does not allow. */
export function authenticate(keys: ApiKeyCache): Middleware {
  return async (ctx, next) => {
    const { authorization, origin } = ctx.req.headers
    if (authorization === undefined) throw new Problem('missing_api_key')
    const key = keys.peek(authorization) ?? (await keys.find(authorization))
    if (!key) {
      const ended = keys.ended(authorization)
      if (ended) ctx.state.endedKey = ended
      throw new Problem(...describeInvalidAuthorization(authorization))
    }
    ctx.state.key = key
    if (origin !== undefined) assertOriginAllowed(key, origin)
    return next()
  }
}

/** Secret keys have no allowlist: they are never sent from a browser. `*` is for sandbox keys. */
function assertOriginAllowed({ record, origins }: AuthenticatedKey, origin: string): void {
  if (record.kind === 'secret' || origins.has(origin)) return
  if (record.mode === 'sandbox' && origins.has('*')) return
  throw new Problem('origin_not_allowed')
}
