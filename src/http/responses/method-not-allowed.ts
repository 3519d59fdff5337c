import { Problem } from '../../errors.ts'
import type { Middleware } from '../context.ts'
import type { RoutePaths } from '../dispatch-routes.ts'
import { sendResponse } from './send-response.ts'

/** Responds with 405 and Allow when the path exists for other methods, and to OPTIONS with 204 and Allow. */
export function methodNotAllowed(router: RoutePaths): Middleware {
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

const TO_CHANGE_CART =
  'To change the lines: POST /v1/carts/{cart_id}/lines, or PATCH /v1/carts/{cart_id}/lines/{line_id}.'

/** The call that is probably meant, by a method and path that do not exist. */
const OTHER_CALLS: Readonly<Record<string, string>> = {
  'DELETE /v1/orders/:order_id': 'To cancel an order: POST /v1/orders/{order_id}/cancel.',
  'POST /v1/orders': 'To place an order: POST /v1/checkout.',
  'POST /v1/products': 'To search: GET /v1/products?q={text}.',
  'POST /v1/products/:sku': 'To search: GET /v1/products?q={text}.',
  'PATCH /v1/me': 'The account is changed in the back office of the merchant.',
  'PUT /v1/me': 'The account is changed in the back office of the merchant.',
  'GET /v1/shoppers': 'To read the account of the shopper: GET /v1/me.',
  'GET /v1/shoppers/verify': 'The token of the email goes into the body: {"token": ..., "password": ...}.',
  'DELETE /v1/carts/:cart_id': 'To empty a cart, remove its lines: DELETE /v1/carts/{cart_id}/lines/{line_id}.',
  'PATCH /v1/carts/:cart_id': TO_CHANGE_CART,
  'PUT /v1/carts/:cart_id': TO_CHANGE_CART,
  'GET /v1/carts/:cart_id/lines': 'To read the lines: GET /v1/carts/{cart_id}.',
  'GET /v1/carts/:cart_id/promotions': 'To read the codes: GET /v1/carts/{cart_id}.',
}

/** Whoever sent a wrong method reads the one that removes something last. */
const METHOD_ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const formatMethods = (methods: ReadonlySet<string>) =>
  METHOD_ORDER.filter((method) => methods.has(method)).join(' or ')
