import { createRequestScope, type TimeBudget } from '../../upstream/request/request-scope.ts'
import type { Context } from '../context.ts'
import type { RouteRequest } from '../to-route-request.ts'
import { type HandlerResponse, toHandlerResponse } from './handler-response.ts'

export interface RunHandlerDeps {
  budget: TimeBudget
  now: () => number
}

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
