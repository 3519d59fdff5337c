import type Router from '@koa/router'
import { Problem } from '../../errors.ts'
import type { Middleware } from '../context.ts'
import { sendResponse } from './send-response.ts'

/** Responds with 405 and Allow when the path exists for other methods, and to OPTIONS with 204 and Allow. */
export function methodNotAllowed(router: Router): Middleware {
  return (ctx, next) => {
    const layers = router.match(ctx.path, ctx.method).path
    const methods = new Set(layers.flatMap((layer) => layer.methods))
    if (methods.size === 0 || methods.has(ctx.method)) return next()
    const headers = { Allow: [...methods, 'OPTIONS'].sort().join(', ') }
    const other = layers.map((layer) => OTHER_CALLS[`${ctx.method} ${layer.path}`]).find(Boolean)
    const detail = `This path does not support ${ctx.method}. Send ${formatMethods(methods)}.${other ? ` ${other}` : ''}`
    if (ctx.method !== 'OPTIONS') throw new Problem('method_not_allowed', detail, { headers })
    return sendResponse(ctx, { status: 204, body: null, headers })
  }
}

/** The call that is probably meant, by a method and path that do not exist. */
const OTHER_CALLS: Readonly<Record<string, string>> = {
  'DELETE /v1/orders/:order_id': 'To cancel an order: POST /v1/orders/{order_id}/cancel.',
  'POST /v1/orders': 'To place an order: POST /v1/checkout.',
}

/** Whoever sent a wrong method reads the one that removes something last. */
const METHOD_ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const formatMethods = (methods: ReadonlySet<string>) =>
  METHOD_ORDER.filter((method) => methods.has(method)).join(' or ')
