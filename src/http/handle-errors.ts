import type { Logger } from 'pino'
import { InvalidInput, Problem, problemTypes as table } from '../errors.ts'
import { failureTrace, SectionFailed } from '../sections/section.ts'
import { isStoreUnavailable } from '../storage/transact.ts'
import type { Context, Middleware } from './context.ts'

/** Turns whatever is thrown below into its answer, and tells the log what the answer does not. */
export function handleErrors(logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next()
      if (ctx.status === 404 && ctx.body === undefined && ctx.respond !== false) throw new Problem('not_found')
    } catch (thrown) {
      if (thrown instanceof InvalidInput) return sendInvalid(ctx, thrown)
      const problem = problemOf(thrown)
      if (thrown instanceof SectionFailed)
        ctx.state.traces = [failureTrace(thrown, performance.now() - ctx.state.startedAt)]
      const told = thrown instanceof SectionFailed && thrown.told
      if (problem.status >= 500 && !told) {
        const level = problem.status === 500 ? 'error' : 'warn'
        logger[level]({ request_id: ctx.state.requestId, code: problem.code, err: thrown }, 'request failed')
      }
      sendProblem(ctx, problem)
    }
  }
}

function problemOf(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown
  if (thrown instanceof SectionFailed) return thrown.problem()
  if (isStoreUnavailable(thrown)) {
    return new Problem('downstream_unavailable', undefined, { headers: { 'Retry-After': '1' }, cause: thrown })
  }
  return new Problem('internal_error', undefined, { cause: thrown })
}

function sendInvalid(ctx: Context, { detail }: InvalidInput): void {
  ctx.state.code = 'validation'
  ctx.status = 422
  ctx.set('Cache-Control', 'no-store')
  ctx.set('Content-Type', 'application/json')
  ctx.body = JSON.stringify({ detail })
}

function sendProblem(ctx: Context, problem: Problem): void {
  const { code, status, headers } = problem
  ctx.state.code = code
  ctx.status = status
  ctx.set(headers)
  ctx.set('Cache-Control', 'no-store')
  if (status === 401) ctx.set('WWW-Authenticate', 'Bearer')
  ctx.set('Content-Type', wantsProblemJson(ctx.get('Accept')) ? 'application/problem+json' : 'application/json')
  ctx.body = formatProblem(problem, ctx.state.requestId)
}

/** RFC 9457, and FastAPI's `{"detail": string}` at once. */
export function formatProblem(
  { code, status, detail, members }: Pick<Problem, 'code' | 'status' | 'detail'> & Partial<Pick<Problem, 'members'>>,
  requestId: string,
): string {
  return JSON.stringify({
    type: 'about:blank',
    title: table[code][1],
    status,
    detail,
    code,
    request_id: requestId,
    ...members,
  })
}

const wantsProblemJson = (accept: string) => accept.includes('application/problem+json')
