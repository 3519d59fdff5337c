import type { CheckoutIn } from '../../contract/orders/checkout.ts'
import { UpstreamError } from '../../errors.ts'
import type { Customer } from '../../ports/customer.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import type { LiveItem } from '../../upstream/readers/item-cache.ts'
import type { LiveCallOptions } from '../../upstream/readers/run-live-call.ts'
import { findShippingAddress, type KnownAddresses } from '../addresses/find-shipping-address.ts'
import { findUsedAddress } from '../addresses/used-addresses.ts'
import { addDelivery } from '../carts/add-delivery.ts'
import { type LivePricing, readLivePricing } from '../carts/live-pricing.ts'
import { toDeliveryChoice } from '../carts/stored-cart-pricing.ts'
import { type CustomerCommandContext, toCustomerKey } from '../command-context.ts'
import { type CheckoutCredit, readCheckoutCredit } from './checkout-credit.ts'

/** The time limit for reading the current state, and the time that is reserved for placing the order. */
const READ_TIMEOUT_MS = 2_500
const PLACE_ORDER_RESERVE_MS = 2_000
/** With less time left, no order is started. */
const MIN_REMAINING_MS = 400

/** The current state that a checkout is based on. */
export interface LiveCheckoutState extends KnownAddresses {
  pricing: LivePricing
  items: ReadonlyMap<string, LiveItem>
  customer: Customer
  /** YYYY-MM-DD in the merchant's time zone. */
  today: string
  currency: string
}

/** Calls all systems in parallel for their current state, without caches. Only callers that need the credit wait for it. */
export async function readLiveCheckoutState(
  context: CustomerCommandContext,
  cart: CartRecord,
  input: CheckoutIn,
): Promise<{ state: LiveCheckoutState; readCredit: () => Promise<CheckoutCredit> }> {
  const { backOffice, requestScope, customerId, merchant } = context
  const patienceMs = () => Math.min(READ_TIMEOUT_MS, requestScope.leftMs() - PLACE_ORDER_RESERVE_MS)
  const live = { requestScope, priority: 'checkout' as const, patienceMs: patienceMs() }
  const { creditReservation } = backOffice.accounting
  const mayUseCredit = input.payment_method !== 'CASH_ON_DELIVERY' || creditReservation?.cashOrders
  const credit: Promise<CheckoutCredit> = mayUseCredit
    ? readCheckoutCredit(context, live)
    : Promise.resolve({ credit: null, reading: null })
  credit.catch(() => {})
  const [goods, items, customer] = await Promise.all([
    readLivePricing(context, cart, live),
    backOffice.itemsNow([...new Set(cart.lines.map(({ sku }) => sku))], live),
    backOffice.accounting.customerNow(customerId, live),
  ])
  if (!customer) throw new UpstreamError('invalid', 'accounting does not know the customer', { system: 'accounting' })
  const { shipping_address_id = '' } = input
  const { addresses } = customer
  const usedAddress = await findUsedAddress(context.commerce.db, toCustomerKey(context), addresses, shipping_address_id)
  const known = { customer, usedAddress }
  const pricing = await addCheckoutDelivery(context, goods, {
    cart,
    input,
    known,
    live: { ...live, patienceMs: patienceMs() },
  })
  if (requestScope.leftMs() < MIN_REMAINING_MS) throw new UpstreamError('timeout', 'no time left to place the order')
  const state = { pricing, items, customer, usedAddress, today: backOffice.today(), currency: merchant.currency }
  return { state, readCredit: () => credit }
}

/** Adds the delivery that the request names; without one, that of the cart's last pricing, at its current price. */
function addCheckoutDelivery(
  context: CustomerCommandContext,
  goods: LivePricing,
  { cart, input, known, live }: { cart: CartRecord; input: CheckoutIn; known: KnownAddresses; live: LiveCallOptions },
): LivePricing | Promise<LivePricing> {
  const isChosen = input.delivery_option_id !== undefined || input.pickup_place_id !== undefined
  const choice = isChosen ? input : toDeliveryChoice(cart)
  if (!choice) return goods
  return addDelivery(context, goods, choice, { shippingAddress: findShippingAddress(input, known), live })
}
