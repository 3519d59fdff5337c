import { freshnessPolicies, toCacheTimes } from '../../cache/freshness-policy.ts'
import { identityRepresentation } from '../../cache/representation.ts'
import type { CachedResponse, ResponseCache } from '../../cache/response-cache.ts'
import { isCacheable } from '../../sections/section-errors.ts'
import { createRequestScope } from '../../upstream/request/request-scope.ts'
import type { RouteRequest } from '../to-route-request.ts'
import { type HandlerResponse, toHandlerResponse, toJson } from './handler-response.ts'
import type { RunHandlerDeps } from './run-handler.ts'

export interface CacheDeps extends RunHandlerDeps {
  responses: ResponseCache
}

interface Caching {
  /** The version of the tenant's invalidations before the response was assembled. */
  version: number
  /** The response is sent once, and not stored: it needs no tags. */
  isSentOnce?: boolean
}

/** Describes a response as it is cached. */
export function toCachedResponse(
  call: RouteRequest,
  response: HandlerResponse,
  { version, isSentOnce = false }: Caching,
  deps: CacheDeps,
): CachedResponse {
  const { route } = call
  const policy = freshnessPolicies[route.caching as 'catalog' | 'availability']
  return {
    route: route.operationId,
    ...toCacheTimes(policy, deps.now(), response.cacheableUntil),
    cacheControl: toCacheControl(call.request),
    complete: response.errors.length === 0,
    tags: isSentOnce ? [] : [...response.tags],
    version,
    plain: identityRepresentation(toJson(response)),
    hint: response.hint,
    compressed: {},
    isRefreshing: false,
    refresh: () => refresh(call, deps),
  }
}

/** By default a browser asks again for each read, because a cached copy would hide changes that a webhook has announced, and simulated faults. */
const toCacheControl = ({ tenant, merchant }: RouteRequest['request']) =>
  `private, max-age=${tenant.mode === 'sandbox' ? 0 : (merchant.maxAgeSeconds ?? 0)}`

/** Assembles a response again, outside of any request. A degraded one does not replace what is cached. */
async function refresh(call: RouteRequest, deps: CacheDeps): Promise<void> {
  const requestId = `renew-${call.request.apiKey.tenant_id}`
  const requestScope = createRequestScope({ requestId }, deps.budget, deps.now)
  const { version } = deps.responses.invalidations(call.tenantKey)
  const response = await call.route.handle({ ...call.request, requestScope })
  if (!isCacheable(response.errors)) return
  const cached = toCachedResponse(call, toHandlerResponse(response, requestScope), { version }, deps)
  deps.responses.store(call.tenantKey, call.cacheKey, cached)
}
