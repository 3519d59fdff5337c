import type { Decimal } from 'decimal.js'
import type { Credit } from './customer-credit.ts'
import type { Customers, StoredCustomer } from './customer-store.ts'
import { written } from '../money.ts'
import type { OrderBook, StoredOrder } from './order-store.ts'
import type { Order, OrderDraft } from '../protocol/order-schemas.ts'
import type { Refused } from '../protocol/order-operations.ts'
import { Refusal } from '../http/http-error.ts'
import type { Taxes } from './tax-rates.ts'
import { agrees, countTotals } from './order-totals.ts'

export interface Counter {
  customers: Customers
  taxes: Taxes
  credit: Credit
  book: OrderBook
  now: () => Date
  /** Told of an order that is looked at for the first time and whose answer goes out late. */
  late: () => void
}

export type PlaceAnswer = { state: 'placed'; order: Order } | Refused

/** Takes an order, or refuses it: once for each reference, and in one step in which nothing else happens. */
export function placeOrder(counter: Counter, draft: OrderDraft): PlaceAnswer {
  const { customers, book, now } = counter
  const kept = book.answer(draft.reference)
  if (kept && kept.customer_id !== draft.customer_id)
    throw new Refusal(409, 'reference_taken', 'this reference names an order of another customer')
  if (kept) return 'refused' in kept ? kept.refused : { state: 'placed', order: published(book.order(kept.order_id)!) }
  const customer = customers.known(draft.customer_id)
  if (customer.ledger) counter.late()
  const { customer_id } = draft
  const refused = refusalOf(counter, customer, draft)
  if (refused) {
    book.keepAnswer(draft.reference, { customer_id, refused })
    return refused
  }
  const order = orderOf(draft, book.nextNumber(), now().toISOString())
  book.keepAnswer(draft.reference, { customer_id, order_id: order.order_id }, order)
  return { state: 'placed', order: published(book.order(order.order_id)!) }
}

function refusalOf({ taxes, credit }: Counter, customer: StoredCustomer, draft: OrderDraft): Refused | undefined {
  if (customer.on_hold || customer.ledger === 'LATE_THEN_REFUSED') return refused('ACCOUNT_ON_HOLD')
  if (!customer.payment_methods.includes(draft.payment_method)) return refused('PAYMENT_METHOD_NOT_ALLOWED')
  const rates = draft.lines.map(({ sku }) => taxes.of(sku, customer.tax_exempt))
  const unknown = draft.lines.filter((_, i) => rates[i] === undefined).map(({ sku }) => sku)
  if (unknown.length > 0) return refused('LINE_UNAVAILABLE', [...new Set(unknown)])
  const known = rates.filter((tax) => tax !== undefined)
  const counted = countTotals(draft.lines, known, draft.totals.tax_included)
  if (draft.currency !== customer.currency || !agrees(draft, counted)) return refused('TOTALS_DISAGREE')
  if (draft.payment_method !== 'CREDIT_TERMS') return undefined
  const available = credit.available(customer)
  if (available === null) return refused('PAYMENT_METHOD_NOT_ALLOWED')
  return available.lt(draft.totals.total) ? refused('OVER_CREDIT_LIMIT', [], available) : undefined
}

function refused(reason: Refused['reason'], skus: string[] = [], available: Decimal | null = null): Refused {
  return { state: 'refused', reason, skus, available_credit: available && written(available) }
}

function orderOf(draft: OrderDraft, number: number, at: string): StoredOrder {
  return {
    ...draft,
    order_id: `SO-${number}`,
    order_number: `SO${number}`,
    status: 'CONFIRMED',
    payment_status: 'NOT_REQUIRED',
    placed_at: at,
    updated_at: at,
    shipments: [],
    invoiced: false,
    cancelled_at: null,
    cancel_reason: null,
    history: [
      { status: 'PENDING', at },
      { status: 'CONFIRMED', at },
    ],
    payment: {
      ...{ session_id: null, status: 'NOT_REQUIRED', redirect_url: null, expires_at: null, updated_at: at },
      ...{ amount_due: written(0), amount_paid: written(0) },
    },
  }
}

/** An order as its merchant reads it: without the payment session. */
export function published({ payment: _, ...order }: StoredOrder): Order {
  return order
}
