import { customers, type FixtureCustomer } from '../../../fixtures/customers.ts'
import { merchant } from '../../../fixtures/merchant.ts'
import { type FixtureInvoice, type FixtureOrder, orders } from '../../../fixtures/orders.ts'
import { contractPriceOf, listPriceOf } from '../../../fixtures/prices.ts'
import { generateProducts } from '../../../fixtures/products.ts'
import { taxCodeOf } from '../../../fixtures/taxes.ts'
import { formatAmount } from '../money.ts'
import type { DocumentSeed } from '../storage/document-store.ts'
import { applyInvoicePayment, buildInvoice, markInvoiceVoid, type StoredInvoice } from './invoice-store.ts'
import { withOrderStatus } from './order-handlers.ts'
import type { StoredOrder } from './order-store.ts'
import { computeOrderTotals } from './order-totals.ts'
import { pastPayment } from './payments-seed.ts'
import { toShippedOrder } from './ship-order.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** What customers ordered before the day of seeding, and the invoices of it. */
export function ordersSeed(now: Date): DocumentSeed {
  const range = new Map(generateProducts().map((product) => [product.sku, product]))
  const owners = new Map(customers.map((customer) => [customer.customer_id, customer]))
  const made = orders.map((fixture) => {
    const owner = owners.get(fixture.customer_id)!
    const order = led(orderOf(fixture, owner, range, now), fixture)
    const invoices = fixture.invoices.map((row) => pastInvoice(row, order, owner, now))
    // What happens to an invoice happens to its order.
    const updated_at = [order, ...invoices]
      .map((row) => row.updated_at)
      .sort()
      .at(-1)!
    return { order: { ...order, updated_at }, invoices }
  })
  return {
    orders: made.map(({ order }) => [order.order_id, order] as const),
    invoices: made.flatMap(({ invoices }) => invoices).map((invoice) => [invoice.invoice_id, invoice] as const),
  }
}

type Range = ReadonlyMap<string, ReturnType<typeof generateProducts>[number]>

/** The order on the day that it was placed. */
function orderOf(fixture: FixtureOrder, owner: FixtureCustomer, range: Range, now: Date): StoredOrder {
  const { order_id, customer_id, channel, payment_method, payment_status, po_number } = fixture
  const goods = fixture.lines.map(({ sku }) => range.get(sku)!)
  const taxes = goods.map((product) => merchant.taxes[owner.tax_exempt ? 'EXEMPT' : taxCodeOf(product)])
  const priced = fixture.lines.map(({ quantity }, i) => {
    const list = listPriceOf(goods[i]!)!
    const unit_price = (contractPriceOf(owner.price_list_id, goods[i]!, list) ?? list).amount
    return { quantity, unit_price, list_unit_price: list.amount, discount: formatAmount(0) }
  })
  const counted = computeOrderTotals(priced, taxes, false)
  const at = new Date(now.getTime() - fixture.daysAgo * DAY_MS).toISOString()
  const address = owner.addresses[0]!
  const { address_id: _, is_default: __, ...billing_address } = address
  return {
    ...{ order_id, order_number: order_id.replace('-', ''), reference: null, customer_id, channel, po_number },
    ...{ currency: merchant.currency, payment_method, payment_status, fulfillment_method: 'DELIVERY' },
    ...{ shipping_address: billing_address, billing_address, contact: null, notes: null, requested_date: null },
    lines: priced.map((line, i) => {
      const { sku, name, units } = goods[i]!
      return {
        ...{ sku, name, uom: units[0]!.uom, order_uom: null, order_quantity: null },
        ...line,
        ...counted.lines[i]!,
      }
    }),
    ...{ promotions: [], totals: counted.totals, status: 'PENDING', placed_at: at, updated_at: at, shipments: [] },
    ...{ invoiced: fixture.invoices.length > 0, cancelled_at: null, cancel_reason: null },
    history: [{ status: 'PENDING', at }],
    payment: pastPayment(order_id, payment_status, payment_method, counted.totals.total, at),
  }
}

/** The order led through the states that come before its last. */
function led(placed: StoredOrder, { status }: FixtureOrder): StoredOrder {
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
  const sent = toShippedOrder(confirmed, {}, after(20))
  return status === 'DELIVERED' ? withOrderStatus(sent, status, after(44)) : sent
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
