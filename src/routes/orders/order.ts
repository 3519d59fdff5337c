import { keyOf, storedOrder } from '../../commands/orders/cancel-order.ts'
import { ofLedger, ofRecord, type ShownOrder } from '../../contract/order-view.ts'
import { one, type Section } from '../../sections/section.ts'
import { mustBeId, OrderParams, ofOrders, orderAnswer } from './order-response.ts'
import { placeOf } from '../to-command-context.ts'
import { route } from '../../http/route.ts'

export const order = route({
  ...ofOrders,
  method: 'GET',
  path: '/v1/orders/:order_id',
  operationId: 'getOrder',
  summary: 'One order, whole',
  input: { params: OrderParams },
  async answer(question) {
    const { params, office, customerId, asking } = question
    mustBeId(params.order_id)
    const stored = await storedOrder(placeOf(question), params.order_id)
    // The ledger never took it: there is nobody to ask.
    if (stored?.status === 'REJECTED') return orderAnswer(question, here(ofRecord(stored)), null)
    const asked = one(await office.account.order(customerId!, keyOf(params.order_id), asking))
    if (asked.value) return orderAnswer(question, { ...asked, value: ofLedger(asked.value) }, asked.value.order_id)
    if (!stored) return orderAnswer(question, { ...asked, value: null }, null)
    const standIn = { ...here(ofRecord(stored)), error: asked.error, stale: asked.error !== null }
    const known = { ...standIn, asOf: Date.parse(stored.updated_at) }
    return orderAnswer(question, known, stored.placed?.order_id ?? null)
  },
})

const here = (value: ShownOrder): Section<ShownOrder> => ({ value, error: null, stale: false, partial: false, asOf: 0 })
