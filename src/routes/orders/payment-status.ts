import { keyOf, storedOrder } from '../../commands/orders/cancel-order.ts'
import { CheckoutPaymentStatus } from '../../contract/checkout.ts'
import { moneyOf } from '../../contract/common-schemas.ts'
import { Problem } from '../../errors.ts'
import type { PaymentStatus } from '../../ports/order.ts'
import { fanOut, one, required } from '../../sections/section.ts'
import type { OrderRecord } from '../../storage/commerce/orders.ts'
import { mustBeId, OrderParams } from './order-response.ts'
import { placeOf } from '../to-command-context.ts'
import { plain, route } from '../../http/route.ts'

/** When it is worth asking again; what is not here is the last word. */
const pollAfterSeconds: Partial<Record<PaymentStatus, number>> = { PENDING: 5, PROCESSING: 2 }

export const paymentStatus = route({
  method: 'GET',
  path: '/v1/checkout/:order_id/payment-status',
  operationId: 'getPaymentStatus',
  summary: 'How the payment of an order stands; changes nothing, and may be polled',
  tag: 'Checkout',
  scope: 'storefront:checkout',
  input: { params: OrderParams },
  response: CheckoutPaymentStatus,
  needsShopper: true,
  caching: 'none',
  sections: { required: ['payment'], optional: [] },
  async answer(question) {
    const { params, office, customerId, merchant, asking } = question
    mustBeId(params.order_id)
    const stored = await storedOrder(placeOf(question), params.order_id)
    if (stored && !stored.placed) return plain(unplaced(stored, merchant.currency))
    const read = office.account.payment(customerId!, keyOf(params.order_id), asking)
    const { values, errors, traces } = await fanOut(asking, { payment: required(read.then(one)) })
    if (!values.payment) throw new Problem('not_found')
    const { session_id, status, amount_due, amount_paid, redirect_url, expires_at, updated_at } = values.payment
    const body = {
      ...{ order_id: params.order_id, session_id, status },
      amount_due: moneyOf(amount_due, merchant.currency),
      amount_paid: moneyOf(amount_paid, merchant.currency),
      ...{ redirect_url, expires_at, updated_at, ...pollingOf(status), errors },
    }
    return { body, errors, traces }
  },
})

const pollingOf = (status: PaymentStatus) => ({
  poll_after_seconds: pollAfterSeconds[status] ?? null,
  terminal: pollAfterSeconds[status] === undefined,
})

/** Until the ledger has an order, and when it refuses it, there is nothing to pay. */
function unplaced({ order_id, status, updated_at }: OrderRecord, currency: string) {
  const payment = status === 'PENDING' ? 'PENDING' : 'CANCELLED'
  const none = moneyOf('0', currency)
  return {
    ...{ order_id, session_id: null, status: payment, amount_due: none, amount_paid: none },
    ...{ redirect_url: null, expires_at: null, updated_at, ...pollingOf(payment), errors: [] },
  }
}
