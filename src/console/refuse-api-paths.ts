import { toRequestId } from '../http/request-id.ts'
import { formatProblem, problemContentType } from '../http/responses/problem-body.ts'
import type { ConsoleMiddleware } from './console-context.ts'

/** The API's paths, none of which a page has. */
const API_PATH = /^\/(?:v1(?:\/.*)?|health|openapi\.json)$/

/** Responds to requests that are meant for the API with a problem that names the API's address, instead of a redirect to the sign-in page. */
export function refuseApiPaths(apiUrl: string): ConsoleMiddleware {
  return (ctx, next) => {
    if (!API_PATH.test(ctx.path)) return next()
    const detail = `This is the port of the operations pages. The API is at ${apiUrl}.`
    ctx.status = 404
    ctx.body = formatProblem({ code: 'not_found', status: 404, detail }, toRequestId(ctx.get('X-Request-Id')))
    ctx.set('Content-Type', problemContentType(ctx.get('Accept')))
    return undefined
  }
}
