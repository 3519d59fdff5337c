import type { PaymentSession } from '../protocol/order-schemas.ts'
import type { StoredOrder } from './order-store.ts'

/** Returns the order with another status. */
export function withOrderStatus(order: StoredOrder, status: StoredOrder['status'], at: string): StoredOrder {
  const history = order.status === status ? order.history : [...order.history, { status, at }]
  return { ...order, status, history, updated_at: at }
}

export function toCancelledOrder(order: StoredOrder, reason: string, at: string): StoredOrder {
  const payment = toCancelledPayment(order.payment, at)
  const cancelled = { ...withOrderStatus(order, 'CANCELLED', at), payment, payment_status: payment.status }
  return { ...cancelled, cancelled_at: at, cancel_reason: reason }
}

/** Refunds a paid session and cancels an unpaid one. */
function toCancelledPayment(payment: PaymentSession, at: string): PaymentSession {
  if (payment.status === 'PAID') return { ...payment, status: 'REFUNDED', updated_at: at }
  const isWaiting = payment.status === 'PENDING' || payment.status === 'PROCESSING'
  return isWaiting ? { ...payment, status: 'CANCELLED', redirect_url: null, updated_at: at } : payment
}
