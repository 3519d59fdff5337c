import { findStoredOrder, toOrderKey } from '../../commands/orders/cancel-order.ts'
import { CheckoutPaymentStatus } from '../../contract/checkout.ts'
import { toMoney } from '../../contract/common-schemas.ts'
import { Problem } from '../../errors.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import type { PaymentStatus } from '../../ports/order.ts'
import { fanOut, required, valueSection } from '../../sections/section.ts'
import type { OrderRecord } from '../../storage/commerce/orders.ts'
import { toCustomerCommandContext } from '../to-command-context.ts'
import { assertValidId, OrderParams } from './order-response.ts'

/** When it is worth asking again; what is not here is the last word. */
const pollAfterSeconds: Partial<Record<PaymentStatus, number>> = { PENDING: 5, PROCESSING: 2 }

export const getPaymentStatusRoute = defineRoute({
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
    const { params, backOffice, customerId, merchant, requestScope } = question
    assertValidId(params.order_id)
    const stored = await findStoredOrder(toCustomerCommandContext(question), params.order_id)
    if (stored && !stored.placed) return jsonResponse(unplaced(stored, merchant.currency))
    const read = backOffice.accounting.payment(customerId!, toOrderKey(params.order_id), requestScope)
    const { values, errors, traces } = await fanOut(requestScope, { payment: required(read.then(valueSection)) })
    if (!values.payment) throw new Problem('not_found')
    const { session_id, status, amount_due, amount_paid, redirect_url, expires_at, updated_at } = values.payment
    const body = {
      ...{ order_id: params.order_id, session_id, status },
      amount_due: toMoney(amount_due, merchant.currency),
      amount_paid: toMoney(amount_paid, merchant.currency),
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
  const none = toMoney('0', currency)
  return {
    ...{ order_id, session_id: null, status: payment, amount_due: none, amount_paid: none },
    ...{ redirect_url: null, expires_at: null, updated_at, ...pollingOf(payment), errors: [] },
  }
}
