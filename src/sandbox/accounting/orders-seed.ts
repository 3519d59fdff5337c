import { customers, type FixtureCustomer } from '../../../fixtures/customers.ts'
import { merchant } from '../../../fixtures/merchant.ts'
import { type FixtureInvoice, type FixtureOrder, orders } from '../../../fixtures/orders.ts'
import { contractPriceOf, listPriceOf } from '../../../fixtures/prices.ts'
import { generateProducts } from '../../../fixtures/products.ts'
import { taxCodeOf } from '../../../fixtures/taxes.ts'
import { formatAmount } from '../money.ts'
import type { Order, PaymentSession } from '../protocol/order-schemas.ts'
import type { DocumentSeed } from '../storage/document-store.ts'
import { withOrderStatus } from './change-order-status.ts'
import { applyInvoicePayment, buildInvoice, markInvoiceVoid, type StoredInvoice } from './invoice-store.ts'
import type { StoredOrder } from './order-store.ts'
import { computeOrderTotals } from './order-totals.ts'
import { toShippedOrder } from './ship-order.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Past orders of the customers, and their invoices. */
export function ordersSeed(now: Date): DocumentSeed {
  const products = new Map(generateProducts().map((product) => [product.sku, product]))
  const customersById = new Map(customers.map((customer) => [customer.customer_id, customer]))
  const seeded = orders.map((fixture) => {
    const customer = customersById.get(fixture.customer_id)!
    const order = withPastStatus(createOrder(fixture, customer, products, now), fixture)
    const invoices = fixture.invoices.map((row) => pastInvoice(row, order, customer, now))
    // A change of an invoice is a change of its order too.
    const updated_at = [order, ...invoices]
      .map((row) => row.updated_at)
      .sort()
      .at(-1)!
    return { order: { ...order, updated_at }, invoices }
  })
  return {
    orders: seeded.map(({ order }) => [order.order_id, order] as const),
    invoices: seeded.flatMap(({ invoices }) => invoices).map((invoice) => [invoice.invoice_id, invoice] as const),
  }
}

type ProductsBySku = ReadonlyMap<string, ReturnType<typeof generateProducts>[number]>

/** The order on the day that it was placed. */
function createOrder(
  fixture: FixtureOrder,
  customer: FixtureCustomer,
  products: ProductsBySku,
  now: Date,
): StoredOrder {
  const { order_id, customer_id, channel, payment_method, payment_status, po_number } = fixture
  const lineProducts = fixture.lines.map(({ sku }) => products.get(sku)!)
  const taxes = lineProducts.map((product) => merchant.taxes[customer.tax_exempt ? 'EXEMPT' : taxCodeOf(product)])
  const priced = fixture.lines.map(({ quantity }, i) => {
    const listPrice = listPriceOf(lineProducts[i]!)!
    const unit_price = (contractPriceOf(customer.price_list_id, lineProducts[i]!, listPrice) ?? listPrice).amount
    return { quantity, unit_price, list_unit_price: listPrice.amount, discount: formatAmount(0) }
  })
  const computed = computeOrderTotals(priced, taxes, false)
  const at = new Date(now.getTime() - fixture.daysAgo * DAY_MS).toISOString()
  const address = customer.addresses[0]!
  const { address_id: _, is_default: __, ...billing_address } = address
  return {
    order_id,
    order_number: order_id,
    reference: null,
    customer_id,
    channel,
    po_number,
    currency: merchant.currency,
    payment_method,
    payment_status,
    fulfillment_method: 'DELIVERY',
    shipping_address: billing_address,
    billing_address,
    contact: null,
    notes: null,
    requested_date: null,
    lines: priced.map((line, i) => {
      const { sku, name, units } = lineProducts[i]!
      return {
        sku,
        name,
        uom: units[0]!.uom,
        order_uom: null,
        order_quantity: null,
        ...line,
        ...computed.lines[i]!,
      }
    }),
    promotions: [],
    totals: computed.totals,
    status: 'PENDING',
    placed_at: at,
    updated_at: at,
    shipments: [],
    invoiced: fixture.invoices.length > 0,
    cancelled_at: null,
    cancel_reason: null,
    history: [{ status: 'PENDING', at }],
    payment: pastPayment(order_id, payment_status, payment_method, computed.totals.total, at),
  }
}

/** Moves an order through the statuses before its last one. */
function withPastStatus(placed: StoredOrder, { status }: FixtureOrder): StoredOrder {
  const after = (hours: number) => new Date(Date.parse(placed.placed_at) + hours * HOUR_MS).toISOString()
  if (status === 'PENDING') return placed
  if (status === 'REJECTED') return withOrderStatus(placed, status, after(1))
  const confirmed = withOrderStatus(placed, 'CONFIRMED', after(1))
  if (status === 'CONFIRMED') return confirmed
  if (status === 'CANCELLED')
    return {
      ...withOrderStatus(confirmed, status, after(4)),
      cancelled_at: after(4),
      cancel_reason: 'CUSTOMER_REQUEST',
    }
  const { sku, quantity } = confirmed.lines[0]!
  if (status === 'PARTIALLY_SHIPPED') return toShippedOrder(confirmed, { lines: [{ sku, quantity }] }, after(20))
  const shipped = toShippedOrder(confirmed, {}, after(20))
  return status === 'DELIVERED' ? withOrderStatus(shipped, status, after(44)) : shipped
}

function pastInvoice(
  fixture: FixtureInvoice,
  order: StoredOrder,
  { credit }: FixtureCustomer,
  now: Date,
): StoredInvoice {
  const issued = new Date(now.getTime() - fixture.daysAgo * DAY_MS)
  const terms = order.payment_method === 'CREDIT_TERMS' ? credit?.terms : undefined
  const invoice = { ...buildInvoice(order, fixture.invoice_id, issued, terms), type: fixture.type }
  const paidAt = new Date(issued.getTime() + 5 * DAY_MS).toISOString()
  if (fixture.paid === 'ALL') return applyInvoicePayment(invoice, invoice.total, paidAt)
  if (fixture.paid === 'A_PART') return applyInvoicePayment(invoice, '5000.00', paidAt)
  return fixture.paid === 'VOID' ? markInvoiceVoid(invoice, new Date(issued.getTime() + DAY_MS).toISOString()) : invoice
}

/** The payment session of a past order. */
function pastPayment(
  orderId: string,
  status: PaymentSession['status'],
  method: Order['payment_method'],
  total: string,
  placedAt: string,
): PaymentSession {
  if (method !== 'PREPAID') {
    const noSession = { session_id: null, redirect_url: null, expires_at: null }
    return { ...noSession, status, amount_due: formatAmount(0), amount_paid: formatAmount(0), updated_at: placedAt }
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
    // Open sessions do not expire during a demonstration.
    expires_at: status === 'PENDING' || status === 'PROCESSING' ? after(24 * 365) : after(24),
    updated_at: after(1),
  }
}
