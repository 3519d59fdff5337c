import { isOrderable } from '../../catalog/availability-bands.ts'
import type { CheckoutIn } from '../../contract/orders/checkout.ts'
import { Problem, type SkuRefusal } from '../../errors.ts'
import type { Address, Customer, PaymentMethod } from '../../ports/customer.ts'
import type { OrderDelivery } from '../../ports/delivery.ts'
import type { OrderDraft } from '../../ports/order.ts'
import {
  findDefaultAddress,
  findShippingAddress,
  fromInputAddress,
  pickAddress,
} from '../addresses/find-shipping-address.ts'
import type { PricedDelivery } from '../carts/add-delivery.ts'
import type { LivePricing } from '../carts/live-pricing.ts'
import { createInvalidInput } from '../create-invalid-input.ts'
import { createLineUnavailableProblem } from './line-unavailable-problem.ts'
import type { LiveCheckoutState } from './read-live-checkout-state.ts'

export type UnreferencedOrderDraft = Omit<OrderDraft, 'reference'>

/** Builds the order without its reference. Throws Problem and InvalidInput for a cart or an input that cannot be ordered. */
export function toOrderDraft(input: CheckoutIn, state: LiveCheckoutState): UnreferencedOrderDraft {
  const { pricing, customer, currency } = state
  const refusals = findSkuRefusals(state)
  if (refusals.length > 0 || !pricing.totals) throw createLineUnavailableProblem(refusals)
  if (customer.status === 'ON_HOLD') throw new Problem('account_on_hold')
  const payment_method = choosePaymentMethod(input, customer)
  assertValidTerms(input, state)
  const defaultAddress = findDefaultAddress(customer)
  const { contact } = input
  const { delivery } = pricing
  const fulfillment_method = chooseFulfillmentMethod(input, pricing)
  return {
    customer_id: customer.customer_id,
    channel: 'ECOMMERCE',
    currency,
    payment_method,
    fulfillment_method,
    ...(delivery && { delivery: toOrderDelivery(delivery) }),
    shipping_address: fulfillment_method === 'PICKUP' ? null : chooseShippingAddress(input, state),
    billing_address: input.billing_address
      ? fromInputAddress(input.billing_address)
      : defaultAddress
        ? pickAddress(defaultAddress)
        : null,
    contact: contact
      ? { name: contact.name ?? null, phone: contact.phone ?? null, email: contact.email ?? null }
      : { name: formatName(customer), phone: customer.phone, email: customer.email },
    po_number: input.po_number ?? null,
    notes: input.notes ?? null,
    requested_date: input.requested_date ?? null,
    lines: pricing.lines.map(({ line_id: _, ...line }) => line),
    promotions: pricing.promotions
      .filter(({ status }) => status === 'APPLIED')
      .map(({ code, description, discount }) => ({ code, description, discount })),
    totals: pricing.totals,
  }
}

function assertValidTerms(input: CheckoutIn, { currency, today }: LiveCheckoutState): void {
  const { expected_total, requested_date } = input
  if (expected_total && expected_total.currency !== currency) {
    const message = `Prices here are in ${currency}: send the total of the cart`
    throw createInvalidInput('currency_mismatch', ['body', 'expected_total', 'currency'], message, input)
  }
  if (requested_date && requested_date < today)
    throw createInvalidInput('date_in_past', ['body', 'requested_date'], `Date should be ${today} or later`, input)
}

/** Finds SKUs that are unknown, inactive, unpriced, or out of stock and not on backorder. */
function findSkuRefusals(state: LiveCheckoutState): SkuRefusal[] {
  const { unpriced, lines } = state.pricing
  const skus = new Set([...unpriced, ...lines.map(({ sku }) => sku)])
  return [...skus].flatMap((sku) => {
    const reason = findSkuRefusalReason(state, sku)
    return reason === null ? [] : [{ sku, reason }]
  })
}

function findSkuRefusalReason({ pricing, items }: LiveCheckoutState, sku: string): SkuRefusal['reason'] | null {
  if (pricing.unpriced.includes(sku)) return 'no_price'
  const item = items.get(sku)
  if (!item?.product) return 'not_in_inventory'
  if (!item.product.active) return 'withdrawn'
  if (!item.banded) return 'no_stock_record'
  return isOrderable(item.banded) ? null : 'out_of_stock'
}

function choosePaymentMethod({ payment_method }: CheckoutIn, { payment_methods }: Customer): PaymentMethod {
  const defaultMethod = payment_methods.includes('CREDIT_TERMS') ? 'CREDIT_TERMS' : 'CASH_ON_DELIVERY'
  const method = payment_method ?? defaultMethod
  if (!payment_methods.includes(method)) throw new Problem('payment_method_not_allowed')
  return method
}

/** The delivery option decides. A request that contradicts it is refused. */
function chooseFulfillmentMethod(input: CheckoutIn, { delivery }: LivePricing): OrderDraft['fulfillment_method'] {
  const { fulfillment_method } = input
  if (!delivery) return fulfillment_method ?? 'DELIVERY'
  if (fulfillment_method === undefined || fulfillment_method === delivery.fulfillment_method)
    return delivery.fulfillment_method
  const message = `The delivery option ${delivery.delivery_option_id} is for ${delivery.fulfillment_method}: omit fulfillment_method`
  throw createInvalidInput('fulfillment_mismatch', ['body', 'fulfillment_method'], message, input)
}

const toOrderDelivery = ({ delivery_option_id, name, pickup_place }: PricedDelivery): OrderDelivery => ({
  delivery_option_id,
  name,
  pickup_place,
})

function chooseShippingAddress(input: CheckoutIn, state: LiveCheckoutState): Address {
  const address = findShippingAddress(input, state)
  if (!address) throw createInvalidInput('missing', ['body', 'shipping_address'], 'The account has no address', input)
  return address
}

const formatName = ({ first_name, last_name, company }: Customer): string | null =>
  [first_name, last_name].filter(Boolean).join(' ') || company
