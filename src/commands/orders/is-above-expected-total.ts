import { Decimal } from 'decimal.js'
import type { CheckoutIn } from '../../contract/orders/checkout.ts'
import type { OrderTotals } from '../../ports/order.ts'

/** Returns whether the order costs more than the shopper was shown. */
export function isAboveExpectedTotal({ expected_total }: CheckoutIn, totals: OrderTotals): boolean {
  return expected_total !== undefined && new Decimal(expected_total.amount).lt(totals.total)
}
