import { UpstreamError } from '../../errors.ts'
import type { OrderTotals } from '../../ports/order.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import type { OverCreditLimit } from './checkout-outcome.ts'
import { computeShortfall } from './credit-shortfall.ts'

/** The outcome of an order on delivery that accounting refused over its credit limit. Such a checkout has not read the credit before. */
export async function readOverCreditLimit(
  { backOffice, requestScope, customerId, commerce }: CustomerCommandContext,
  totals: OrderTotals,
  availableCredit: string | null,
): Promise<OverCreditLimit> {
  const current = await backOffice.accounting
    .creditNow(customerId, { requestScope, priority: 'checkout' })
    .catch((error: unknown) => {
      if (error instanceof UpstreamError) return null
      throw error
    })
  const available_credit = availableCredit ?? current?.available_credit ?? null
  const { balance, as_of } = current ?? { balance: null, as_of: new Date(commerce.now()).toISOString() }
  const shortfall = available_credit === null ? null : computeShortfall(totals, available_credit)
  const credit = { available_credit, balance, as_of }
  return { state: 'over_credit_limit', totals, shortfall, credit, isCashAllowed: false }
}
