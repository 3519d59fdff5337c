import type { ShopperOrder } from '../../contract/orders/order-mapping.ts'
import { UpstreamError } from '../../errors.ts'
import type { Credit } from '../../ports/accounting.ts'
import type { OrderTotals } from '../../ports/order.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import type { OrderRecord } from '../../storage/commerce/orders.ts'

/** The result of a checkout. Everything else is thrown: Problem, InvalidInput, UpstreamError. */
export type CheckoutOutcome =
  /** The order is CONFIRMED (or further on), or PENDING. `pendingReason`: why accounting has not decided on it yet. */
  | { state: 'ordered'; record: OrderRecord; pendingReason: UpstreamError | null }
  /** The cart became an order whose details only accounting has. */
  | { state: 'archived'; cartId: string; order: ShopperOrder }
  | OverCreditLimit
  /** `isTotalHigher`: the cart costs more than the shopper was shown. */
  | { state: 'price_changed'; cart: CartRecord; isTotalHigher: boolean }

export interface OverCreditLimit {
  state: 'over_credit_limit'
  totals: OrderTotals
  shortfall: string | null
  credit: Pick<Credit, 'available_credit' | 'balance' | 'as_of'>
  /** The same order would be accepted with payment on delivery. */
  isCashAllowed: boolean
}

/** `failure`: the failure of this request's own call to accounting. Failures of other requests are unknown here. */
export function toOrderedOutcome(record: OrderRecord, failure?: UpstreamError): CheckoutOutcome {
  if (record.status !== 'PENDING') return { state: 'ordered', record, pendingReason: null }
  const pendingReason = failure ?? new UpstreamError('timeout', 'accounting has not responded to this order yet')
  pendingReason.system ??= 'accounting'
  return { state: 'ordered', record, pendingReason }
}
