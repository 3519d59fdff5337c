import type { CheckoutIn } from '../../contract/checkout.ts'
import { UpstreamError } from '../../errors.ts'
import type { Credit } from '../../ports/accounting.ts'
import type { OrderTotals } from '../../ports/order.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import { readLivePricing } from '../carts/live-pricing.ts'
import { type CustomerCommandContext, toCustomerKey } from '../command-context.ts'
import type { OverCreditLimit } from './checkout-outcome.ts'
import { type CheckoutSnapshot, computeShortfall } from './order-draft.ts'
import { findUsedAddress } from './used-addresses.ts'

/** The time limit for reading the current state, and the time that is reserved for placing the order. */
const READ_TIMEOUT_MS = 2_500
const PLACE_RESERVE_MS = 2_000
/** With less time left, no order is started. */
const MIN_REMAINING_MS = 400

/** Calls all systems in parallel for their current state, without caches. Only callers that need the credit wait for it. */
export async function readCheckoutSnapshot(
  context: CustomerCommandContext,
  cart: CartRecord,
  input: CheckoutIn,
): Promise<{ snapshot: CheckoutSnapshot; readCredit: () => Promise<Credit | null> }> {
  const { backOffice, requestScope, customerId, merchant } = context
  const patienceMs = Math.min(READ_TIMEOUT_MS, requestScope.leftMs() - PLACE_RESERVE_MS)
  const live = { requestScope, priority: 'checkout' as const, patienceMs }
  const mayUseCredit = input.payment_method !== 'CASH_ON_DELIVERY'
  const credit = mayUseCredit ? backOffice.accounting.creditNow(customerId, live) : Promise.resolve(null)
  credit.catch(() => {})
  const [pricing, items, customer] = await Promise.all([
    readLivePricing(context, cart, live),
    backOffice.itemsNow([...new Set(cart.lines.map(({ sku }) => sku))], live),
    backOffice.accounting.customerNow(customerId, live),
  ])
  if (!customer) throw new UpstreamError('invalid', 'accounting does not know the customer', { system: 'accounting' })
  if (requestScope.leftMs() < MIN_REMAINING_MS) throw new UpstreamError('timeout', 'no time left to place the order')
  const { shipping_address_id = '' } = input
  const { addresses } = customer
  const usedAddress = await findUsedAddress(context.commerce.db, toCustomerKey(context), addresses, shipping_address_id)
  const snapshot = { pricing, items, customer, usedAddress, today: backOffice.today(), currency: merchant.currency }
  return { snapshot, readCredit: () => credit }
}

/** The outcome of an order on delivery that accounting refused over its credit limit. Such a checkout has not read the credit before. */
export async function readCashOrderLimit(
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
