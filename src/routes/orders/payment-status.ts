import { findStoredOrder } from '../../commands/orders/find-stored-order.ts'
import { toAccountingOrderKey } from '../../commands/orders/to-accounting-order-key.ts'
import { toMoney } from '../../contract/money.ts'
import { CheckoutPaymentStatus } from '../../contract/orders/checkout.ts'
import { createNotFound } from '../../errors.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import type { PaymentStatus } from '../../ports/order.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { required, valueSection } from '../../sections/section.ts'
import type { OrderRecord } from '../../storage/commerce/orders.ts'
import { toCustomerCommandContext } from '../to-command-context.ts'
import { assertValidId } from '../valid-upstream-ids.ts'
import { OrderParams } from './order-route-defaults.ts'

/** Seconds until the next poll; a status that is not listed is final. */
const pollAfterSeconds: Partial<Record<PaymentStatus, number>> = { PENDING: 5, PROCESSING: 2 }

export const getPaymentStatusRoute = defineRoute({
  method: 'GET',
  path: '/v1/checkout/:order_id/payment-status',
  operationId: 'getPaymentStatus',
  summary: 'Get the payment status of an order; may be polled',
  tag: 'Checkout',
  scope: 'storefront:checkout',
  input: { params: OrderParams },
  response: CheckoutPaymentStatus,
  needsShopper: true,
  caching: 'none',
  sections: { required: ['payment'], optional: [] },
  async handle(request) {
    const { params, backOffice, customerId, merchant, requestScope } = request
    assertValidId(params.order_id, 'order')
    const stored = await findStoredOrder(toCustomerCommandContext(request), params.order_id)
    if (stored && !stored.placed) return jsonResponse(toUnplacedPayment(stored, merchant.currency))
    const payment = backOffice.accounting.payment(customerId!, toAccountingOrderKey(params.order_id), requestScope)
    const { values, errors, traces } = await fanOut(requestScope, { payment: required(payment.then(valueSection)) })
    if (!values.payment) throw createNotFound('order')
    const { session_id, status, amount_due, amount_paid, redirect_url, expires_at, updated_at } = values.payment
    const body = {
      order_id: params.order_id,
      session_id,
      status,
      amount_due: toMoney(amount_due, merchant.currency),
      amount_paid: toMoney(amount_paid, merchant.currency),
      redirect_url,
      expires_at,
      updated_at,
      ...toPolling(status),
      errors,
    }
    return { body, errors, traces }
  },
})

const toPolling = (status: PaymentStatus) => ({
  poll_after_seconds: pollAfterSeconds[status] ?? null,
  terminal: pollAfterSeconds[status] === undefined,
})

/** An order that the accounting system does not have yet, or has rejected, has nothing to pay. */
function toUnplacedPayment({ order_id, status, updated_at }: OrderRecord, currency: string) {
  const paymentStatus = status === 'PENDING' ? 'PENDING' : 'CANCELLED'
  const zero = toMoney('0', currency)
  return {
    order_id,
    session_id: null,
    status: paymentStatus,
    amount_due: zero,
    amount_paid: zero,
    redirect_url: null,
    expires_at: null,
    updated_at,
    ...toPolling(paymentStatus),
    errors: [],
  }
}
