import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Representation } from '../cache/representation.ts'
import { type CachedResponse, cacheControlOf, cacheStatusOf, type ResponseCache } from '../cache/response-cache.ts'
import type { RequestOutcome } from '../diagnostics/request-outcome.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { RequestObserver } from './access-log.ts'
import type { ApiKeyCache, AuthenticatedKey } from './api-key-cache.ts'
import { negotiateEncoding } from './content-encoding.ts'
import { isNotModified } from './if-none-match.ts'
import type { RateLimitCharge, RateLimiter } from './rate-limiter.ts'
import { toRequestId } from './request-id.ts'
import { createRequestTraceRecorder } from './request-trace.ts'
import { refreshInBackground } from './respond.ts'
import { toCacheStatusHeader, toRawHeaders } from './response-headers.ts'

export interface CacheFastPathDeps {
  keys: ApiKeyCache
  responses: ResponseCache
  limits: RateLimiter
  observe: RequestObserver
  /** Left out: no spans are made. */
  tracing?: Tracing | undefined
  now: () => number
}

interface Found {
  known: AuthenticatedKey
  kept: CachedResponse
  state: 'hit' | 'stale'
  sent: Representation
}

/**
 * The short way of an anonymous catalog read whose key and answer are both at hand: the same checks and the same answer as the long way,
 * before Koa and its router, with one write. Anything unusual (a browser, a shopper, a fault, a spent limit) goes the long way.
 */
export function createCacheFastPath(deps: CacheFastPathDeps, longWay: RequestListener): RequestListener {
  const { limits } = deps
  return (req, res) => {
    const found = find(req, deps)
    if (!found) return longWay(req, res)
    const startedAt = performance.now()
    const { record } = found.known
    limits.charge(record).then(
      (charge) => {
        if (found.state === 'stale') refreshInBackground(found.kept)
        if (!found.kept.complete || !isNotModified(req.headers['if-none-match'], found.sent.etag))
          return send(req, res, found, 200, charge, startedAt, deps)
        return limits.refund(record, charge).then((refunded) => send(req, res, found, 304, refunded, startedAt, deps))
      },
      () => longWay(req, res),
    )
    return undefined
  }
}

function find({ method, headers, url }: IncomingMessage, { keys, responses, now }: CacheFastPathDeps): Found | null {
  if ((method !== 'GET' && method !== 'HEAD') || headers.authorization === undefined) return null
  if (headers.origin !== undefined || headers['x-storefront-shopper-token'] !== undefined) return null
  if (headers['x-sandbox-fault'] !== undefined) return null
  const known = keys.peek(headers.authorization)
  const kept = known?.scopes.has('storefront:catalog') ? responses.getByUrl(known.owner, url!) : undefined
  if (!known || !kept) return null
  const state = cacheStatusOf(kept, now())
  const coding = negotiateEncoding(headers['accept-encoding'])
  const representation = coding === 'identity' ? kept.plain : kept.compressed[coding]
  if (state === 'miss' || representation === undefined) return null
  return { known, kept, state, sent: representation ?? kept.plain }
}

function send(
  req: IncomingMessage,
  res: ServerResponse,
  { known, kept, state, sent }: Found,
  status: 200 | 304,
  charge: RateLimitCharge,
  startedAt: number,
  { observe, tracing, now }: CacheFastPathDeps,
): void {
  const requestId = toRequestId(req.headers['x-request-id'])
  const { mode, tenant_id, key_id } = known.record
  const served = {
    representation: sent,
    cacheControl: cacheControlOf(kept, null),
    complete: kept.complete,
    cacheStatus: toCacheStatusHeader(kept, now()),
  }
  res.writeHead(status, toRawHeaders(served, requestId, mode, charge, status === 304))
  if (status === 304 || req.method === 'HEAD') res.end()
  else res.end(sent.body, sent.encoding)
  const trail = createRequestTraceRecorder(req.headers, startedAt, tracing)
  const outcome: RequestOutcome = {
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
  trail?.end?.(outcome)
}
