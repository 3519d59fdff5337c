import { formatAmount } from '../money.ts'
import type { Order, Payment } from '../protocol/order-schemas.ts'

const HOUR_MS = 3_600_000

/** The payment session of an order of the past, as it stands. */
export function pastPayment(
  orderId: string,
  status: Payment['status'],
  method: Order['payment_method'],
  total: string,
  placedAt: string,
): Payment {
  if (method !== 'PREPAID') {
    const nothing = { session_id: null, redirect_url: null, expires_at: null }
    return { ...nothing, status, amount_due: formatAmount(0), amount_paid: formatAmount(0), updated_at: placedAt }
  }
  const session_id = `ps_${orderId.toLowerCase()}`
  const after = (hours: number) => new Date(Date.parse(placedAt) + hours * HOUR_MS).toISOString()
  const paid = status === 'PAID' || status === 'REFUNDED'
  return {
    session_id,
    status,
    amount_due: total,
    amount_paid: formatAmount(paid ? total : 0),
    redirect_url: status === 'PENDING' ? `https://pay.example/${session_id}` : null,
    // Those that are still open stay so for as long as a demonstration may last.
    expires_at: status === 'PENDING' || status === 'PROCESSING' ? after(24 * 365) : after(24),
    updated_at: after(1),
  }
}
