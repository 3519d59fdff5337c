import { createRequestScope, type RequestScope, type TimeBudget } from '../../upstream/request/request-scope.ts'
import type { Context } from '../context.ts'
import type { ApiResponse } from '../route.ts'
import type { RouteRequest } from '../to-route-request.ts'

export interface RunHandlerDeps {
  budget: TimeBudget
  now: () => number
}

/** The response of a handler, with what decides how long it may be cached. */
export interface HandlerResponse extends ApiResponse {
  /** The data that it is made of, for invalidation. */
  tags: string[]
  /** Milliseconds since the epoch: it may not be served from a cache after this. */
  cacheableUntil: number
}

/** Returns the JSON of a response's body. */
export const toJson = ({ body }: Pick<ApiResponse, 'body'>): string =>
  typeof body === 'string' ? body : JSON.stringify(body)

export const toHandlerResponse = (response: ApiResponse, { tags, cacheableUntil }: RequestScope): HandlerResponse => ({
  ...response,
  tags: [...tags],
  cacheableUntil,
})

/** Runs a route's handler within the request's deadline. A client that disconnects ends the calls to its systems. */
export async function runHandler(
  ctx: Context,
  call: RouteRequest,
  { budget, now }: RunHandlerDeps,
): Promise<HandlerResponse> {
  const { route, request, faults } = call
  const { requestId, startedAt } = ctx.state
  const spentMs = performance.now() - startedAt
  const routeBudget = route.deadlineMs ? { ...budget, totalMs: route.deadlineMs } : budget
  const recorder = ctx.state.recorder?.startResponse(route.sections !== undefined)
  const requestScope = createRequestScope({ requestId, faults, startedAt: now() - spentMs, recorder }, routeBudget, now)
  ctx.state.calls = requestScope.calls
  ctx.state.deadlineMs = routeBudget.totalMs
  const onClose = () => requestScope.leave()
  ctx.res.once('close', onClose)
  try {
    const response = await route.handle({ ...request, requestScope })
    ctx.state.sectionTraces = response.traces
    return toHandlerResponse(response, requestScope)
  } finally {
    ctx.res.off('close', onClose)
    // When a required section fails, calls for the other sections may still be running.
    requestScope.leave()
    recorder?.end?.(requestScope.calls)
  }
}
