import type { WantedLine } from '../../commands/carts/add-lines.ts'
import { createFilledCart, fillCart } from '../../commands/carts/fill-cart.ts'
import { findStoredOrder } from '../../commands/orders/find-stored-order.ts'
import { toAccountingOrderKey } from '../../commands/orders/to-accounting-order-key.ts'
import { CartWithResults } from '../../contract/cart/add-cart-lines.ts'
import { recordToShopperOrder } from '../../contract/orders/order-mapping.ts'
import { ReorderIn } from '../../contract/orders/reorder.ts'
import { createNotFound } from '../../errors.ts'
import { createScopeProblem } from '../../http/access/scope-problem.ts'
import { type ApiRequest, defineRoute } from '../../http/route.ts'
import type { OrderLine } from '../../ports/order.ts'
import { SectionFailed } from '../../sections/section-errors.ts'
import { buildFilledCartResponse } from '../carts/cart-response.ts'
import { cartProblemMembers, cartRouteDefaults, cartWriteProblems, toCartEdit } from '../carts/cart-route-defaults.ts'
import { findSellableProducts } from '../carts/find-sellable-products.ts'
import { toCustomerCommandContext } from '../to-command-context.ts'
import { assertValidId } from '../valid-upstream-ids.ts'
import { OrderParams, orderRouteDefaults } from './order-route-defaults.ts'

const { scope: cartScope } = cartRouteDefaults

export const reorderRoute = defineRoute({
  ...orderRouteDefaults,
  method: 'POST',
  path: '/v1/orders/:order_id/reorder',
  operationId: 'reorder',
  summary:
    'Add the lines of an order to a cart, as far as their products are still sold; without cart_id, to a new cart',
  input: { params: OrderParams, body: ReorderIn, bodyOptional: true },
  response: CartWithResults,
  status: 201,
  alternatives: { 200: CartWithResults },
  idempotent: true,
  problems: [...cartWriteProblems],
  problemMembers: cartProblemMembers,
  sections: { required: ['order', 'product', 'cart'], optional: ['lines', 'availability', 'credit'] },
  async handle(request) {
    const { params, body, apiKey } = request
    if (!apiKey.scopes.includes(cartScope)) throw createScopeProblem(cartScope)
    const context = toCustomerCommandContext(request)
    const lines = (await readOrderLines(request, params.order_id)).map(toWantedLine)
    const findProducts = (skus: readonly string[]) => findSellableProducts(request, skus)
    const fill = { lines, linesPath: ['order', 'lines'], findProducts }
    if (body?.cart_id !== undefined)
      return buildFilledCartResponse(request, await fillCart(context, body.cart_id, toCartEdit(request), fill))
    const filled = await createFilledCart(context, toCartEdit(request), fill)
    const response = await buildFilledCartResponse(request, filled)
    return { ...response, status: 201, headers: { Location: `/v1/carts/${filled.cart.cart_id}` } }
  },
})

/** Returns the lines of an order as accounting has them now. An order that accounting does not have, or cannot return, is read from the store. */
async function readOrderLines(request: ApiRequest, orderId: string): Promise<readonly OrderLine[]> {
  assertValidId(orderId, 'order')
  const { backOffice, customerId, requestScope } = request
  const stored = await findStoredOrder(toCustomerCommandContext(request), orderId)
  const { value, error } = await backOffice.accounting.order(customerId!, toAccountingOrderKey(orderId), requestScope)
  if (value) return value.lines
  if (stored) return recordToShopperOrder(stored).lines
  throw error ? new SectionFailed('order', error) : createNotFound('order')
}

/** In the unit of sale if there was one, since its factor may have changed. */
const toWantedLine = ({ sku, quantity, order_uom, order_quantity }: OrderLine): WantedLine =>
  order_uom === null || order_quantity === null ? { sku, quantity } : { sku, order_uom, order_quantity }
