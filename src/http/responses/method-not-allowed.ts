import type Router from '@koa/router'
import { Problem } from '../../errors.ts'
import type { Middleware } from '../context.ts'
import { sendResponse } from './send-response.ts'

/** Responds with 405 and Allow when the path exists for other methods, and to OPTIONS with 204 and Allow. */
export function methodNotAllowed(router: Router): Middleware {
  return (ctx, next) => {
    const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods))
    if (methods.size === 0 || methods.has(ctx.method)) return next()
    const headers = { Allow: [...methods, 'OPTIONS'].sort().join(', ') }
    const detail = `This path does not support ${ctx.method}. Send ${formatMethods(methods)}.`
    if (ctx.method !== 'OPTIONS') throw new Problem('method_not_allowed', detail, { headers })
    return sendResponse(ctx, { status: 204, body: null, headers })
  }
}

/** Whoever sent a wrong method reads the one that removes something last. */
const METHOD_ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const formatMethods = (methods: ReadonlySet<string>) =>
  METHOD_ORDER.filter((method) => methods.has(method)).join(' or ')
