import type { Logger } from 'pino'
import { InvalidInput, Problem } from '../../errors.ts'
import { throttleLog } from '../../lifecycle/log-throttle.ts'
import { SectionFailed } from '../../sections/section-errors.ts'
import { failureTrace } from '../../sections/section-trace.ts'
import { isStoreUnavailable } from '../../storage/store-errors.ts'
import type { Context, Middleware } from '../context.ts'
import { endWithoutResponse } from './end-without-response.ts'
import { formatProblem, problemContentType } from './problem-body.ts'
import { sendResponse } from './send-response.ts'

/** Turns every error of the later middlewares into a response, and logs the cause, which the response leaves out. */
export function handleErrors(logger: Logger): Middleware {
  function log(request_id: string, { code, status }: Problem, err: unknown): void {
    logger[status === 500 ? 'error' : 'warn']({ request_id, code, err }, 'request failed')
  }
  // Without its store, most requests fail in the same way. The access log has each of them.
  const logOutage = throttleLog(log, { now: () => performance.now() })
  const logFailure: typeof log = (requestId, problem, error) =>
    (problem.code === 'store_unavailable' ? logOutage : log)(requestId, problem, error)
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (error instanceof InvalidInput) return sendInvalidInput(ctx, error)
      if (isAbandoned(error) && ctx.res.destroyed) return endWithoutResponse(ctx)
      const problem = toProblem(error)
      if (error instanceof SectionFailed)
        ctx.state.sectionTraces = [failureTrace(error, performance.now() - ctx.state.startedAt)]
      const isLogged = error instanceof SectionFailed && error.isLogged
      // Refused on purpose, for example because too many requests wait: the access log has the code.
      const isRefusal = error instanceof Problem && error.status !== 500 && error.cause === undefined
      if (problem.status >= 500 && !isLogged && !isRefusal) logFailure(ctx.state.requestId, problem, error)
      sendProblem(ctx, problem)
    }
  }
}

/** Returns true when a call to a system ended because nobody waited for it any more. */
const isAbandoned = (error: unknown) => error instanceof SectionFailed && error.failure.failure === 'aborted'

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof SectionFailed) return error.problem()
  if (isStoreUnavailable(error)) {
    return new Problem('store_unavailable', undefined, { headers: { 'Retry-After': '1' }, cause: error })
  }
  return new Problem('internal_error', undefined, { cause: error })
}

function sendInvalidInput(ctx: Context, { detail, hint }: InvalidInput): void {
  ctx.state.code = 'validation'
  sendResponse(ctx, {
    status: 422,
    body: JSON.stringify({ detail }),
    contentType: 'application/json',
    cacheControl: 'no-store',
    headers: hint === undefined ? {} : { 'Forecourt-Hint': hint },
  })
}

function sendProblem(ctx: Context, problem: Problem): void {
  const { code, status, headers } = problem
  ctx.state.code = code
  if (problem.limit !== null)
    ctx.state.reachedLimit = { name: problem.limit, retryAfterSeconds: Number(headers['Retry-After']) }
  const { skus } = problem.members
  if (Array.isArray(skus)) ctx.state.refusedSkus = skus.map(String)
  if (problem.skuRefusals.length > 0) ctx.state.skuRefusals = problem.skuRefusals
  sendResponse(ctx, {
    status,
    body: formatProblem(problem, ctx.state.requestId),
    contentType: problemContentType(ctx.get('Accept')),
    cacheControl: 'no-store',
    headers: status === 401 ? { ...headers, 'WWW-Authenticate': 'Bearer' } : headers,
  })
}
