import { Decimal } from 'decimal.js'
import type { AddressIn, CheckoutIn } from '../../contract/checkout.ts'
import { InvalidInput, Problem, UpstreamError } from '../../errors.ts'
import type { Credit } from '../../ports/accounting.ts'
import type { Address, Customer, PaymentMethod } from '../../ports/customer.ts'
import type { OrderDraft, OrderTotals } from '../../ports/order.ts'
import type { LiveItem } from '../../upstream/item-reader.ts'
import type { LivePricing } from '../carts/live-pricing.ts'

/** What a cart is ordered by: all of it as it is at this moment. */
export interface CheckoutSnapshot {
  pricing: LivePricing
  items: ReadonlyMap<string, LiveItem>
  customer: Customer
  /** YYYY-MM-DD where the merchant is. */
  today: string
  currency: string
}

export type UnreferencedOrderDraft = Omit<OrderDraft, 'reference'>

/** What the ledger is asked to make, without its reference. Throws Problem and Invalid for what cannot be ordered, or not so. */
export function toOrderDraft(input: CheckoutIn, now: CheckoutSnapshot): UnreferencedOrderDraft {
  const { pricing, customer, currency } = now
  const gone = unavailable(now)
  if (gone.length > 0 || !pricing.totals) throw createLineUnavailableProblem(gone)
  if (customer.status === 'ON_HOLD') throw new Problem('account_on_hold')
  const payment_method = paymentMethod(input, customer)
  if (input.expected_total && input.expected_total.currency !== currency)
    throw invalid('currency_mismatch', ['expected_total', 'currency'], `Prices here are in ${currency}`, input)
  if (input.requested_date && input.requested_date < now.today)
    throw invalid('date_in_past', ['requested_date'], 'Date should not be in the past', input)
  const home = customer.addresses.find((address) => address.is_default) ?? customer.addresses[0]
  const { fulfillment_method = 'DELIVERY', contact } = input
  return {
    customer_id: customer.customer_id,
    channel: 'ECOMMERCE',
    ...{ currency, payment_method, fulfillment_method },
    shipping_address: fulfillment_method === 'PICKUP' ? null : shippingAddress(input, customer, home),
    billing_address: input.billing_address ? given(input.billing_address) : home ? addressOf(home) : null,
    contact: contact
      ? { name: contact.name ?? null, phone: contact.phone ?? null, email: contact.email ?? null }
      : { name: nameOf(customer), phone: customer.phone, email: customer.email },
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

/** Whether the shopper was shown less than it costs. */
export function isAboveExpectedTotal({ expected_total }: CheckoutIn, totals: OrderTotals): boolean {
  return expected_total !== undefined && new Decimal(expected_total.amount).lt(totals.total)
}

/** What is missing of the credit that an order needs; `null`: nothing. Throws for an account without credit. */
export function computeCreditShortfall(totals: OrderTotals, credit: Credit | null): string | null {
  if (!credit?.enabled) throw new Problem('payment_method_not_allowed')
  if (credit.on_hold) throw new Problem('account_on_hold')
  if (credit.available_credit === null)
    throw new UpstreamError('invalid', 'a credit account without a figure', { system: 'accounting' })
  return computeShortfall(totals, credit.available_credit)
}

/** By how much a total is above what is left; `null`: it is not. */
export function computeShortfall({ total }: OrderTotals, left: string): string | null {
  const short = new Decimal(total).minus(left)
  return short.gt(0) ? short.toFixed() : null
}

export const createLineUnavailableProblem = (skus: readonly string[]) =>
  new Problem('line_unavailable', undefined, { members: { skus: [...skus] } })

/** What is not known, withdrawn, without a price or out of stock. What is on order is sold. */
function unavailable({ pricing, items }: CheckoutSnapshot): string[] {
  const skus = new Set([...pricing.unpriced, ...pricing.lines.map(({ sku }) => sku)])
  return [...skus].filter((sku) => {
    const item = items.get(sku)
    return pricing.unpriced.includes(sku) || !item?.product?.active || !item.banded || item.banded.band === 'OUT'
  })
}

function paymentMethod({ payment_method }: CheckoutIn, { payment_methods }: Customer): PaymentMethod {
  const usual = payment_methods.includes('CREDIT_TERMS') ? 'CREDIT_TERMS' : 'CASH_ON_DELIVERY'
  const method = payment_method ?? usual
  if (!payment_methods.includes(method)) throw new Problem('payment_method_not_allowed')
  return method
}

function shippingAddress(input: CheckoutIn, customer: Customer, home: Address | undefined): Address {
  const { shipping_address, shipping_address_id } = input
  if (shipping_address && shipping_address_id !== undefined)
    throw invalid('only_one', ['shipping_address_id'], 'Give shipping_address or shipping_address_id', input)
  if (shipping_address) return given(shipping_address)
  if (shipping_address_id === undefined) {
    if (!home) throw invalid('missing', ['shipping_address'], 'The account has no address', input)
    return addressOf(home)
  }
  const known = customer.addresses.find(({ address_id }) => address_id === shipping_address_id)
  if (!known) throw invalid('unknown_address', ['shipping_address_id'], 'The account has no such address', input)
  return addressOf(known)
}

function invalid(type: string, at: string[], msg: string, body: unknown): InvalidInput {
  const input = at.reduce<unknown>((within, name) => (within as Record<string, unknown>)[name] ?? null, body)
  return new InvalidInput([{ type, loc: ['body', ...at], msg, input }])
}

const given = ({ line1, line2, city, region, postal_code, country }: AddressIn): Address => ({
  ...{ line1, line2: line2 ?? null, city, region: region ?? null, postal_code: postal_code ?? null, country },
})

const addressOf = ({ line1, line2, city, region, postal_code, country }: Address): Address => ({
  ...{ line1, line2, city, region, postal_code, country },
})

const nameOf = ({ first_name, last_name, company }: Customer): string | null =>
  [first_name, last_name].filter(Boolean).join(' ') || company
