import { Decimal } from 'decimal.js'
import { Problem, UpstreamError } from '../../errors.ts'
import type { Credit } from '../../ports/accounting.ts'
import type { OrderTotals } from '../../ports/order.ts'

/** Returns the amount by which an order exceeds the available credit, or `null`. Throws for an account without credit. */
export function computeCreditShortfall(totals: OrderTotals, credit: Credit | null): string | null {
  if (!credit?.enabled) throw new Problem('payment_method_not_allowed')
  if (credit.on_hold) throw new Problem('account_on_hold')
  if (credit.available_credit === null)
    throw new UpstreamError('invalid', 'a credit account without an amount', { system: 'accounting' })
  return computeShortfall(totals, credit.available_credit)
}

/** Returns the amount by which an order that is paid on delivery exceeds the available credit, if the limit applies to such orders, or `null`. */
export const computeCashShortfall = (totals: OrderTotals, credit: Credit | null): string | null =>
  credit?.enabled && credit.available_credit !== null ? computeShortfall(totals, credit.available_credit) : null

/** Returns the amount by which a total exceeds the available credit, or `null`. */
export function computeShortfall({ total }: OrderTotals, availableCredit: string): string | null {
  const short = new Decimal(total).minus(availableCredit)
  return short.gt(0) ? short.toFixed() : null
}
