import { identityRepresentation } from '../../cache/representation.ts'
import { type CachedResponse, cacheStatusOf } from '../../cache/response-cache.ts'
import { isCacheable } from '../../sections/section-errors.ts'
import { hintAtClientAddress } from '../access/shopper-client-address.ts'
import type { Context, Middleware } from '../context.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'
import type { Route } from '../route.ts'
import { hasSandboxFaults } from '../sandbox-fault-header.ts'
import { type RouteRequest, type RouteRequestDeps, toRouteRequest } from '../to-route-request.ts'
import { hintAtIgnoredBody } from '../validation/ignored-body-hint.ts'
import { hintAtOtherFaultHeader } from '../validation/other-fault-header-hint.ts'
import { hintAtOtherKeyHeader } from '../validation/other-key-header-hint.ts'
import { toCacheHitStatus } from './cache-hit-status.ts'
import { type HandlerResponse, toJson } from './handler-response.ts'
import { hintAtUnquotedEtag, isAnyVersion, isNotModified } from './if-none-match.ts'
import { negotiateEncoding } from './negotiate-encoding.ts'
import { refreshInBackground } from './refresh-in-background.ts'
import { runHandler } from './run-handler.ts'
import {
  PRIVATE_NO_STORE,
  type PreparedResponse,
  sendRepresentation,
  sendResponse,
  toRepresentationResponse,
  VARY_HEADER,
} from './send-response.ts'
import { type CacheDeps, toCachedResponse } from './to-cached-response.ts'

export interface RespondDeps extends RouteRequestDeps, CacheDeps {
  limits: RateLimiter
}

/** The last step of every route: responds from the cache where it can, and otherwise runs the handler. */
export function respondFromCacheOrHandler(route: Route, deps: RespondDeps): Middleware {
  return async (ctx) => {
    const call = toRouteRequest(ctx, route, deps)
    if (!ctx.state.hasHint) addRequestHint(ctx, call)
    if (route.caching === 'none' || hasSandboxFaults(call.faults))
      return sendUncached(ctx, route, await runHandlerAndAddHint(ctx, call, deps))
    const cached = findCached(ctx, call, deps)
    if (cached) return sendCached(ctx, call, cached, toCacheHitStatus(cached, deps.now()), deps)
    const { version } = deps.responses.invalidations(call.tenantKey)
    const response = await runHandlerAndAddHint(ctx, call, deps)
    if (!isCacheable(response.errors)) return sendUncached(ctx, route, response)
    ctx.state.cacheStatus = 'miss'
    const isSentOnce = !isWorthStoring(call, response, deps)
    const made = toCachedResponse(call, response, { version, isSentOnce }, deps)
    if (isSentOnce) return sendCached(ctx, call, made, 'forecourt; fwd=miss', deps)
    deps.responses.store(call.tenantKey, call.cacheKey, made)
    return sendCached(ctx, call, made, 'forecourt; fwd=miss; stored', deps)
  }
}

async function runHandlerAndAddHint(ctx: Context, call: RouteRequest, deps: RespondDeps): Promise<HandlerResponse> {
  const response = await runHandler(ctx, call, deps)
  addHint(ctx, response.hint)
  return response
}

/** Adds a hint about a header, about an ignored body, or about the route's own input. The fast path does not serve responses with a hint. */
function addRequestHint(ctx: Context, { route, request }: RouteRequest): void {
  const { headers } = ctx.req
  const atHeader =
    hintAtOtherKeyHeader(route, headers) ??
    hintAtOtherFaultHeader(ctx.state.mode, headers) ??
    hintAtClientAddress(headers['x-storefront-client-ip'], request) ??
    (route.method === 'GET' ? hintAtUnquotedEtag(headers['if-none-match']) : null)
  addHint(ctx, route.hint?.(request, headers) ?? atHeader ?? hintAtIgnoredBody(route, headers))
}

/** Adds the hint, unless the response already has one. */
function addHint(ctx: Context, hint: string | null | undefined): void {
  if (hint == null || ctx.state.hasHint) return
  ctx.set('Forecourt-Hint', hint)
  ctx.state.hasHint = true
}

/** Joining texts to a response costs less than a place in the cache, unless the response is requested again. */
const isWorthStoring = ({ tenantKey, cacheKey }: RouteRequest, { body }: HandlerResponse, { responses }: RespondDeps) =>
  typeof body !== 'string' || responses.wasRequested(tenantKey, cacheKey)

/** Returns the cached response while it may be served; a stale one is refreshed behind it. */
function findCached(ctx: Context, call: RouteRequest, { responses, now }: RespondDeps): CachedResponse | null {
  const { tenantKey, cacheKey } = call
  const cached = responses.get(tenantKey, cacheKey)
  const state = cached ? cacheStatusOf(cached, now()) : 'miss'
  if (!cached || state === 'miss') return null
  addHint(ctx, cached.hint)
  ctx.state.cacheStatus = state
  if (ctx.state.customerId === null && !ctx.state.hasHint) responses.indexUrl(tenantKey, ctx.url, cacheKey)
  if (state === 'stale') refreshInBackground(cached)
  return cached
}

/**
 * Sends a cached response in the coding that the client prefers, or 304. A 304 does not count against the rate limit, unless the response
 * had to be assembled for it: ETags of empty pages, and `*`, would otherwise make searches free.
 */
async function sendCached(
  ctx: Context,
  { tenantKey, cacheKey }: RouteRequest,
  cached: CachedResponse,
  cacheStatus: string,
  { responses, limits }: RespondDeps,
): Promise<void> {
  const { headers } = ctx.req
  const coding = negotiateEncoding(headers['accept-encoding'])
  const representation = await responses.inCoding(tenantKey, cacheKey, cached, coding)
  const notModified = cached.complete && isNotModified(headers['if-none-match'], representation.etag)
  const { state } = ctx
  if (notModified && state.cacheStatus !== 'miss' && !isAnyVersion(headers['if-none-match']))
    state.charge = limits.refund(state.key!.record, state.charge!)
  const prepared = toRepresentationResponse(cached, representation, state.customerId, cacheStatus)
  sendRepresentation(ctx, prepared, notModified ? 304 : 200)
}

/** Sends a response that may not be cached: a degraded one, or one of a route without caching. */
function sendUncached(ctx: Context, route: Route, response: HandlerResponse): void {
  ctx.state.cacheStatus = 'bypass'
  if (route.file) {
    sendFile(ctx, route.file, response)
    return
  }
  if (route.response === null || !route.sections) {
    sendResponse(ctx, toPlainResponse(route, response))
    return
  }
  const prepared = {
    representation: identityRepresentation(toJson(response)),
    cacheControl: PRIVATE_NO_STORE,
    isComplete: response.errors.length === 0,
    cacheStatus: 'forecourt; fwd=bypass',
  }
  sendRepresentation(ctx, prepared, response.status ?? 200, response.headers)
}

/** Sends a file. `nosniff` and the policy keep a browser from running what a system may have put into it. */
function sendFile(ctx: Context, contentType: string, { body, headers }: HandlerResponse): void {
  sendResponse(ctx, {
    status: 200,
    body: body as Buffer,
    contentType,
    cacheControl: PRIVATE_NO_STORE,
    headers: {
      ...headers,
      Vary: VARY_HEADER,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  })
}

/** Describes a response without sections, which has no ETag. */
function toPlainResponse(route: Route, response: HandlerResponse): PreparedResponse {
  const { status = 200, headers } = response
  if (route.response === null) return { status: 204, body: null, cacheControl: PRIVATE_NO_STORE, headers }
  return {
    status,
    body: toJson(response),
    contentType: 'application/json',
    cacheControl: PRIVATE_NO_STORE,
    headers: { ...headers, Vary: VARY_HEADER },
  }
}
