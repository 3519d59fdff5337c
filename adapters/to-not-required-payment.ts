import type { Order, Payment } from '../src/ports/order.ts'
import type { Amount } from '../src/ports/pricing.ts'

/** Returns the payment of an order on credit terms or cash on delivery: no payment session is ever opened. */
export function toNotRequiredPayment({ updated_at }: Order, zero: Amount): Payment {
  return {
    session_id: null,
    status: 'NOT_REQUIRED',
    amount_due: zero,
    amount_paid: zero,
    redirect_url: null,
    expires_at: null,
    updated_at,
  }
}
