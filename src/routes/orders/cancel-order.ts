import { cancelOrder } from '../../commands/orders/cancel-order.ts'
import { ofLedger } from '../../contract/order-view.ts'
import { OrderCancelIn, OrderStatus } from '../../contract/order.ts'
import { mustBeId, OrderParams, ofOrders, orderAnswer } from './order-response.ts'
import { calling, placeOf } from '../to-command-context.ts'
import { route } from '../../http/route.ts'

/** As checkout has: the ledger has as much to do. */
const DEADLINE_MS = 5_000

export const orderCancel = route({
  ...ofOrders,
  method: 'POST',
  path: '/v1/orders/:order_id/cancel',
  operationId: 'cancelOrder',
  summary: 'Cancel an order of which nothing was shipped or invoiced',
  input: { params: OrderParams, body: OrderCancelIn },
  idempotent: true,
  deadlineMs: DEADLINE_MS,
  problems: ['order_not_cancellable'],
  problemMembers: { current_status: OrderStatus },
  async answer(question) {
    const { params, body } = question
    mustBeId(params.order_id)
    const why = { reason: body.reason ?? 'CUSTOMER_REQUEST', note: body.note ?? null }
    const cancelled = await calling('order', cancelOrder(placeOf(question), params.order_id, why))
    const order = { value: ofLedger(cancelled), error: null, stale: false, partial: false, asOf: 0 }
    return orderAnswer(question, order, cancelled.order_id)
  },
})
