import { isIP } from 'node:net'
import { identityRepresentation } from '../cache/representation.ts'
import {
  type CachedResponse,
  cacheControlOf,
  cacheStatusOf,
  freshnessPolicies,
  type ResponseCache,
} from '../cache/response-cache.ts'
import type { CommandDependencies } from '../commands/command-context.ts'
import type { MerchantConfig, Mode } from '../config/config.ts'
import { isCacheable } from '../sections/section.ts'
import type { BackOffice } from '../upstream/back-office.ts'
import { createRequestScope, type RequestScope, type TimeBudget } from '../upstream/request-scope.ts'
import { negotiateEncoding } from './content-encoding.ts'
import type { Context, Middleware } from './context.ts'
import { isNotModified } from './if-none-match.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { type ServedResponse, toCacheStatusHeader, toRawHeaders, VARY_HEADER } from './response-headers.ts'
import type { ApiRequest, ApiResponse, Route } from './route.ts'
import { hasSandboxFaults, readSandboxFaults } from './sandbox-fault.ts'

export interface UpstreamLookup {
  /** One merchant's systems in one mode. */
  forTenant(merchant: string, mode: Mode): { merchant: MerchantConfig; backOffice: BackOffice } | null
}

export interface RespondDeps {
  upstreams: UpstreamLookup
  responses: ResponseCache
  commerce: CommandDependencies
  limits: RateLimiter
  budget: TimeBudget
  now: () => number
}

/** The last step of every route: from the cache when it may, else from the sections. */
export function respond(route: Route, deps: RespondDeps): Middleware {
  return async (ctx) => {
    const asked = askedOf(ctx, route, deps)
    if (route.caching === 'none' || hasSandboxFaults(asked.faults))
      return sendFresh(ctx, await assemble(ctx, asked, deps), route, deps)
    const kept = deps.responses.get(asked.owner, asked.key)
    const state = kept ? cacheStatusOf(kept, deps.now()) : 'miss'
    if (kept && state !== 'miss') {
      ctx.state.cache = state
      if (ctx.state.customerId === null) deps.responses.indexUrl(asked.owner, ctx.url, asked.key)
      if (state === 'stale') refreshInBackground(kept)
      return sendKept(ctx, asked, kept, toCacheStatusHeader(kept, deps.now()), deps)
    }
    const { version } = deps.responses.invalidations(asked.owner)
    const answer = await assemble(ctx, asked, deps)
    if (!isCacheable(answer.errors)) return sendFresh(ctx, answer, route, deps)
    const made = keep(route, asked, { ...answer, version }, deps)
    ctx.state.cache = 'miss'
    return sendKept(ctx, asked, made, 'forecourt; fwd=miss; stored', deps)
  }
}

/** A request as its answer depends on it. */
interface Asked {
  owner: string
  /** Price scope, route and canonical input: all that the bytes of the answer depend on beside the owner. */
  key: string
  route: Route
  question: Omit<ApiRequest, 'requestScope'>
  faults: RequestScope['faults']
}

function askedOf(ctx: Context, route: Route, { upstreams, commerce }: RespondDeps): Asked {
  const { known, customerId, params, query, body, mode } = ctx.state
  const { record, owner } = known!
  const found = upstreams.forTenant(record.tenant_id, record.mode)
  if (!found) throw new Error(`no back office for ${owner}: the key's merchant is not in the configuration`)
  return {
    owner,
    key: `${customerId ?? ''}\n${route.operationId}\n${JSON.stringify(params)}${JSON.stringify(query)}`,
    route,
    question: {
      ...{ params, query, body: body as never, principal: record, customerId, commerce, ...found },
      clientAddress: clientAddressOf(ctx),
      ifMatch: ctx.get('If-Match') || null,
      once: ctx.state.once ?? null,
    },
    faults: readSandboxFaults(ctx.req.headers['x-sandbox-fault'], mode),
  }
}

/**
 * A merchant's server calls for many shoppers, and may say for whom; a browser's word for it is not taken. A server's own address is nobody's:
 * counted by it, one who guesses would lock every shopper out.
 */
function clientAddressOf(ctx: Context): string | null {
  if (ctx.state.known!.record.kind !== 'secret') return ctx.req.socket.remoteAddress ?? null
  const named = ctx.req.headers['x-storefront-client-ip']
  return typeof named === 'string' && isIP(named) !== 0 ? named : null
}

interface Assembled extends ApiResponse {
  /** What it is made of. */
  tags: string[]
}

async function assemble(ctx: Context, asked: Asked, { budget, now }: RespondDeps): Promise<Assembled> {
  const { requestId, startedAt } = ctx.state
  const spentMs = performance.now() - startedAt
  const allowed = asked.route.deadlineMs ? { ...budget, totalMs: asked.route.deadlineMs } : budget
  const trail = ctx.state.trail?.startResponse(asked.route.sections !== undefined)
  const of = { requestId, faults: asked.faults, startedAt: now() - spentMs, recorder: trail }
  const requestScope = createRequestScope(of, allowed, now)
  ctx.state.calls = requestScope.calls
  ctx.state.deadlineMs = allowed.totalMs
  const onClose = () => requestScope.leave()
  ctx.res.once('close', onClose)
  try {
    const answer = await asked.route.answer({ ...asked.question, requestScope })
    ctx.state.traces = answer.traces
    return { ...answer, tags: [...requestScope.tags] }
  } finally {
    ctx.res.off('close', onClose)
    // One system refused, and others are still being asked.
    requestScope.leave()
    trail?.end?.(requestScope.calls)
  }
}

/** `version`: of the owner's expiries, when the answer was asked for. */
function keep(route: Route, asked: Asked, answer: Assembled & { version: number }, deps: RespondDeps): CachedResponse {
  const kept: CachedResponse = {
    route: route.operationId,
    policy: freshnessPolicies[route.caching as 'catalog' | 'availability'],
    complete: answer.errors.length === 0,
    storedAt: deps.now(),
    tags: answer.tags,
    version: answer.version,
    plain: identityRepresentation(JSON.stringify(answer.body)),
    compressed: {},
    isRefreshing: false,
    async refresh() {
      const requestScope = createRequestScope(
        { requestId: `renew-${asked.question.principal.tenant_id}` },
        deps.budget,
        deps.now,
      )
      const { version } = deps.responses.invalidations(asked.owner)
      const again = await route.answer({ ...asked.question, requestScope })
      if (isCacheable(again.errors)) keep(route, asked, { ...again, tags: [...requestScope.tags], version }, deps)
    },
  }
  deps.responses.store(asked.owner, asked.key, kept)
  return kept
}

/** Makes a stale answer anew while it is being served. Whatever comes of that, nobody waits and nothing good is lost. */
export function refreshInBackground(kept: CachedResponse): void {
  if (kept.isRefreshing) return
  kept.isRefreshing = true
  const done = () => {
    kept.isRefreshing = false
  }
  kept.refresh().then(done, done)
}

async function sendKept(
  ctx: Context,
  asked: Asked,
  kept: CachedResponse,
  cacheStatus: string,
  deps: RespondDeps,
): Promise<void> {
  const coding = negotiateEncoding(ctx.req.headers['accept-encoding'])
  const representation = await deps.responses.inCoding(asked.owner, asked.key, kept, coding)
  const { complete } = kept
  const notModified = complete && isNotModified(ctx.req.headers['if-none-match'], representation.etag)
  await send(
    ctx,
    { representation, cacheControl: cacheControlOf(kept, ctx.state.customerId), complete, cacheStatus },
    notModified,
    deps,
  )
}

const isRead = (ctx: Context) => ctx.method === 'GET' || ctx.method === 'HEAD'

/** An answer that is not kept: a degraded one, or one that nobody may keep. */
async function sendFresh(ctx: Context, answer: ApiResponse, route: Route, deps: RespondDeps): Promise<void> {
  ctx.state.cache = 'bypass'
  if (answer.headers) ctx.set(answer.headers)
  if (route.response === null) {
    ctx.set('Cache-Control', 'private, no-store')
    ctx.status = 204
    return
  }
  const representation = identityRepresentation(JSON.stringify(answer.body))
  const complete = answer.errors.length === 0
  const served: ServedResponse = {
    representation,
    cacheControl: 'private, no-store',
    complete,
    cacheStatus: 'forecourt; fwd=bypass',
  }
  await send(ctx, served, false, deps, route.sections !== undefined, answer.status)
}

async function send(
  ctx: Context,
  served: ServedResponse,
  notModified: boolean,
  deps: RespondDeps,
  fannedOut = true,
  status = 200,
): Promise<void> {
  const { representation } = served
  const { known, requestId, mode } = ctx.state
  if (notModified) ctx.state.charge = await deps.limits.refund(known!.record, ctx.state.charge!)
  if (fannedOut && status === 200 && isRead(ctx) && ctx.req.headers.origin === undefined) {
    ctx.respond = false
    ctx.res.writeHead(notModified ? 304 : 200, toRawHeaders(served, requestId, mode, ctx.state.charge!, notModified))
    if (notModified || ctx.method === 'HEAD') ctx.res.end()
    else ctx.res.end(representation.body, representation.encoding)
    return
  }
  ctx.set('Cache-Control', served.cacheControl)
  ctx.set('Vary', VARY_HEADER)
  if (fannedOut) {
    ctx.set('ETag', representation.etag)
    ctx.set('Forecourt-Complete', String(served.complete))
    ctx.set('Cache-Status', served.cacheStatus)
  }
  if (notModified) {
    ctx.status = 304
    return
  }
  ctx.status = status
  ctx.set('Content-Type', 'application/json')
  if (representation.coding !== 'identity') ctx.set('Content-Encoding', representation.coding)
  ctx.body = typeof representation.body === 'string' ? representation.body : Buffer.from(representation.body)
}
