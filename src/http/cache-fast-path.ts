import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Representation } from '../cache/representation.ts'
import { cacheControlOf, freshnessOf, type KeptAnswer, type ResponseCache } from '../cache/response-cache.ts'
import type { Outcome } from '../diagnostics/request-outcome.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { Observe } from './access-log.ts'
import { renewBehind } from './respond.ts'
import { codingFor } from './content-encoding.ts'
import { matches } from './if-none-match.ts'
import type { KeyDirectory, KnownKey } from './api-key-cache.ts'
import type { Charge, RateLimits } from './rate-limiter.ts'
import { cacheStatusOf, rawHeaders } from './response-headers.ts'
import { requestIdOf } from './request-id.ts'
import { trailOf } from './request-trace.ts'

export interface HotReads {
  keys: KeyDirectory
  responses: ResponseCache
  limits: RateLimits
  observe: Observe
  /** Left out: no spans are made. */
  tracing?: Tracing | undefined
  now: () => number
}

interface Found {
  known: KnownKey
  kept: KeptAnswer
  state: 'hit' | 'stale'
  sent: Representation
}

/**
 * The short way of an anonymous catalog read whose key and answer are both at hand: the same checks and the same answer as the long way,
 * before Koa and its router, with one write. Anything unusual (a browser, a shopper, a fault, a spent limit) goes the long way.
 */
export function hotReads(deps: HotReads, longWay: RequestListener): RequestListener {
  const { limits } = deps
  return (req, res) => {
    const found = find(req, deps)
    if (!found) return longWay(req, res)
    const startedAt = performance.now()
    const { record } = found.known
    limits.charge(record).then(
      (charge) => {
        if (found.state === 'stale') renewBehind(found.kept)
        if (!found.kept.complete || !matches(req.headers['if-none-match'], found.sent.etag))
          return send(req, res, found, 200, charge, startedAt, deps)
        return limits.refund(record, charge).then((refunded) => send(req, res, found, 304, refunded, startedAt, deps))
      },
      () => longWay(req, res),
    )
    return undefined
  }
}

function find({ method, headers, url }: IncomingMessage, { keys, responses, now }: HotReads): Found | null {
  if ((method !== 'GET' && method !== 'HEAD') || headers.authorization === undefined) return null
  if (headers.origin !== undefined || headers['x-storefront-shopper-token'] !== undefined) return null
  if (headers['x-sandbox-fault'] !== undefined) return null
  const known = keys.peek(headers.authorization)
  const kept = known?.scopes.has('storefront:catalog') ? responses.atUrl(known.owner, url!) : undefined
  if (!known || !kept) return null
  const state = freshnessOf(kept, now())
  const coding = codingFor(headers['accept-encoding'])
  const representation = coding === 'identity' ? kept.plain : kept.coded[coding]
  if (state === 'miss' || representation === undefined) return null
  return { known, kept, state, sent: representation ?? kept.plain }
}

function send(
  req: IncomingMessage,
  res: ServerResponse,
  { known, kept, state, sent }: Found,
  status: 200 | 304,
  charge: Charge,
  startedAt: number,
  { observe, tracing, now }: HotReads,
): void {
  const requestId = requestIdOf(req.headers['x-request-id'])
  const { mode, tenant_id, key_id } = known.record
  const served = {
    representation: sent,
    cacheControl: cacheControlOf(kept, null),
    complete: kept.complete,
    cacheStatus: cacheStatusOf(kept, now()),
  }
  res.writeHead(status, rawHeaders(served, requestId, mode, charge, status === 304))
  if (status === 304 || req.method === 'HEAD') res.end()
  else res.end(sent.body, sent.encoding)
  const trail = trailOf(req.headers, startedAt, tracing)
  const outcome: Outcome = {
    requestId,
    mode,
    tenant: tenant_id,
    keyId: key_id,
    method: req.method!,
    url: req.url!,
    route: kept.route,
    status,
    ms: performance.now() - startedAt,
    cache: state,
    traceId: trail?.traceId,
  }
  observe(outcome)
  trail?.ended?.(outcome)
}
