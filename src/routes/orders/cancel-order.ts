import { cancelOrder } from '../../commands/orders/cancel-order.ts'
import { OrderCancelIn, OrderStatusSchema } from '../../contract/order.ts'
import { toShopperOrder } from '../../contract/order-view.ts'
import { defineRoute } from '../../http/route.ts'
import { failAsSection, toCustomerCommandContext } from '../to-command-context.ts'
import { assertValidId, buildOrderResponse, OrderParams, orderRouteDefaults } from './order-response.ts'

/** As checkout has: the ledger has as much to do. */
const DEADLINE_MS = 5_000

export const cancelOrderRoute = defineRoute({
  ...orderRouteDefaults,
  method: 'POST',
  path: '/v1/orders/:order_id/cancel',
  operationId: 'cancelOrder',
  summary: 'Cancel an order of which nothing was shipped or invoiced',
  input: { params: OrderParams, body: OrderCancelIn },
  idempotent: true,
  deadlineMs: DEADLINE_MS,
  problems: ['order_not_cancellable'],
  problemMembers: { current_status: OrderStatusSchema },
  async answer(question) {
    const { params, body } = question
    assertValidId(params.order_id)
    const why = { reason: body.reason ?? 'CUSTOMER_REQUEST', note: body.note ?? null }
    const cancelled = await failAsSection(
      'order',
      cancelOrder(toCustomerCommandContext(question), params.order_id, why),
    )
    const order = { value: toShopperOrder(cancelled), error: null, stale: false, partial: false, asOf: 0 }
    return buildOrderResponse(question, order, cancelled.order_id)
  },
})
