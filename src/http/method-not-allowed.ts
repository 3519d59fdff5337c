import { Problem } from '../errors.ts'
import type { Middleware } from './context.ts'
import { sendResponse } from './send-response.ts'

/** Responds with 405 and Allow when the path exists for other methods, and to OPTIONS with 204 and Allow. `methodsOf`: returns the methods of a path. */
export function methodNotAllowed(methodsOf: (path: string) => readonly string[]): Middleware {
  return (ctx, next) => {
    const methods = new Set(methodsOf(ctx.path))
    if (methods.size === 0 || methods.has(ctx.method)) return next()
    const headers = { Allow: [...methods, 'OPTIONS'].sort().join(', ') }
    if (ctx.method !== 'OPTIONS') throw new Problem('method_not_allowed', undefined, { headers })
    return sendResponse(ctx, { status: 204, body: null, headers })
  }
}
