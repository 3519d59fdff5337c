import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Representation } from '../../cache/representation.ts'
import { type CachedResponse, cacheStatusOf, type ResponseCache } from '../../cache/response-cache.ts'
import type { FinishedRequest } from '../../diagnostics/finished-request.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import type { ApiKeyCache, AuthenticatedKey } from '../access/api-key-cache.ts'
import type { ClientAddresses } from '../access/client-addresses.ts'
import type { RateLimitCharge, RateLimiter } from '../limits/rate-limiter.ts'
import type { RequestObserver } from '../observe-requests.ts'
import { toRequestId } from '../request-id.ts'
import { createRequestTraceRecorder } from '../trace-request.ts'
import { hasBody } from '../validation/ignored-body-hint.ts'
import { hasOtherFaultHeader } from '../validation/other-fault-header-hint.ts'
import { toCacheHitStatus } from './cache-hit-status.ts'
import { isAnyVersion, isNotModified, isUnquoted } from './if-none-match.ts'
import { negotiateEncoding } from './negotiate-encoding.ts'
import { refreshInBackground } from './refresh-in-background.ts'
import { toRepresentationResponse, writeResponse } from './send-response.ts'

export interface CacheFastPathDeps {
  keys: ApiKeyCache
  clients: ClientAddresses
  responses: ResponseCache
  limits: RateLimiter
  observe: RequestObserver
  /** Without it, no spans are recorded. */
  tracing?: Tracing | undefined
  now: () => number
}

interface CacheHit {
  key: AuthenticatedKey
  clientAddress: string
  cached: CachedResponse
  state: 'hit' | 'stale'
  representation: Representation
}

/**
 * Serves an anonymous catalog read whose key and response are both cached: the same checks and the same response as the full
 * middleware list, without Koa and its router, in one write. Any other request (a browser's, a shopper's, one with a simulated
 * fault, one that needs a hint, one over its rate limit) goes through the middleware list.
 */
export function createCacheFastPath(deps: CacheFastPathDeps, middlewares: RequestListener): RequestListener {
  return (req, res) => {
    const hit = findCacheHit(req, deps)
    const charge = hit && chargeWithin(deps.limits, hit)
    if (!charge) return middlewares(req, res)
    const startedAt = performance.now()
    if (hit.state === 'stale') refreshInBackground(hit.cached)
    const ifNoneMatch = req.headers['if-none-match']
    if (!hit.cached.complete || !isNotModified(ifNoneMatch, hit.representation.etag))
      return serve(req, res, hit, 200, charge, startedAt, deps)
    const charged = isAnyVersion(ifNoneMatch) ? charge : deps.limits.refund(hit.key.record, charge)
    return serve(req, res, hit, 304, charged, startedAt, deps)
  }
}

/** Returns `null` when a limit is reached. */
function chargeWithin(limits: RateLimiter, { key, clientAddress }: CacheHit): RateLimitCharge | null {
  try {
    return limits.charge(key.record, clientAddress)
  } catch {
    return null
  }
}

function findCacheHit(req: IncomingMessage, { keys, clients, responses, now }: CacheFastPathDeps): CacheHit | null {
  const { method, headers, url } = req
  if ((method !== 'GET' && method !== 'HEAD') || headers.authorization === undefined) return null
  if (headers.origin !== undefined || headers['x-storefront-shopper-token'] !== undefined) return null
  if (headers['x-sandbox-fault'] !== undefined || hasOtherFaultHeader(headers)) return null
  if (hasBody(headers)) return null
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined && isUnquoted(ifNoneMatch)) return null
  const key = keys.peek(headers.authorization)
  const cached = key?.scopes.has('storefront:catalog') ? responses.getByUrl(key.tenantKey, url!) : undefined
  if (!key || !cached) return null
  const state = cacheStatusOf(cached, now())
  const coding = negotiateEncoding(headers['accept-encoding'])
  const representation = coding === 'identity' ? cached.plain : cached.compressed[coding]
  if (state === 'miss' || representation === undefined) return null
  return { key, clientAddress: clients.of(req), cached, state, representation: representation ?? cached.plain }
}

function serve(
  req: IncomingMessage,
  res: ServerResponse,
  { key, clientAddress, cached, state, representation }: CacheHit,
  status: 200 | 304,
  charge: RateLimitCharge,
  startedAt: number,
  { observe, tracing, now }: CacheFastPathDeps,
): void {
  const requestId = toRequestId(req.headers['x-request-id'])
  const { mode, tenant_id, key_id } = key.record
  const response = toRepresentationResponse(cached, representation, null, toCacheHitStatus(cached, now()))
  writeResponse(res, status, response, requestId, mode, charge)
  const recorder = createRequestTraceRecorder(req.headers, startedAt, tracing)
  const request: FinishedRequest = {
    requestId,
    mode,
    tenant: tenant_id,
    keyId: key_id,
    clientAddress,
    method: req.method!,
    url: req.url!,
    route: cached.route,
    status,
    ms: performance.now() - startedAt,
    cache: state,
    traceId: recorder?.traceId,
  }
  observe(request)
  recorder?.end?.(request)
}
