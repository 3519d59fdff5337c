import { freshnessOf, type ResponseCache } from '../catalog/response-cache.ts'
import type { Observe } from './access.ts'
import { renewBehind } from './answered.ts'
import { codingFor } from './coding.ts'
import { matches } from './conditional.ts'
import type { KeyDirectory } from './key-directory.ts'
import type { Charge, RateLimits } from './rate-limit.ts'
import { cacheStatusOf, rawHeaders } from './representations.ts'
import { requestIdOf } from './request-id.ts'
import type { Middleware } from './state.ts'

export interface HotReads {
  keys: KeyDirectory
  responses: ResponseCache
  limits: RateLimits
  observe: Observe
  now: () => number
}

/**
 * The short way of an anonymous catalog read whose key and answer are both at hand: the same checks and the same answer as the long way,
 * without the router and with one write. Anything unusual (a browser, a shopper, a fault, a spent limit) goes the long way.
 */
export function hotReads({ keys, responses, limits, observe, now }: HotReads): Middleware {
  return async (ctx, next) => {
    const { req, res } = ctx
    const { headers, method } = req
    if ((method !== 'GET' && method !== 'HEAD') || headers.authorization === undefined) return next()
    if (
      headers.origin !== undefined ||
      headers['x-storefront-shopper-token'] !== undefined ||
      headers['x-sandbox-fault'] !== undefined
    )
      return next()
    const known = keys.peek(headers.authorization)
    const url = req.url!
    const kept = known && responses.atUrl(known.owner, url)
    if (!kept || !known.scopes.has('storefront:catalog')) return next()
    const at = now()
    const state = freshnessOf(kept, at)
    const coding = codingFor(headers['accept-encoding'])
    const representation = coding === 'identity' ? kept.plain : kept.coded.get(coding)
    if (state === 'miss' || representation === undefined) return next()

    const startedAt = performance.now()
    let charge: Charge
    try {
      charge = await limits.charge(known.record)
    } catch {
      return next()
    }
    if (state === 'stale') renewBehind(kept)
    const sent = representation ?? kept.plain
    const notModified = matches(headers['if-none-match'], sent.etag)
    if (notModified) charge = await limits.refund(known.record, charge)
    const requestId = requestIdOf(headers['x-request-id'])
    const { mode, tenant_id, key_id } = known.record
    const served = {
      representation: sent,
      cacheControl: kept.keeping.cacheControl,
      complete: kept.complete,
      cacheStatus: cacheStatusOf(kept, at),
    }
    const status = notModified ? 304 : 200
    ctx.respond = false
    res.writeHead(status, rawHeaders(served, requestId, mode, charge, notModified))
    if (notModified || method === 'HEAD') res.end()
    else res.end(sent.body, sent.encoding)
    observe({
      requestId,
      mode,
      tenant: tenant_id,
      keyId: key_id,
      method,
      url,
      route: kept.route,
      status,
      ms: performance.now() - startedAt,
      cache: state,
    })
  }
}
