import type { Decimal } from 'decimal.js'
import { HttpError } from '../http/http-error.ts'
import { formatAmount } from '../money.ts'
import type { OrderRefusal } from '../protocol/order-operations.ts'
import type { Order, OrderDraft } from '../protocol/order-schemas.ts'
import type { CustomerCredit } from './customer-credit.ts'
import type { CustomerStore, StoredCustomer } from './customer-store.ts'
import type { OrderStore, StoredOrder } from './order-store.ts'
import { computeOrderTotals, totalsAgree } from './order-totals.ts'
import type { TaxRates } from './tax-rates.ts'

export interface OrderPlacementParts {
  customers: CustomerStore
  taxes: TaxRates
  credit: CustomerCredit
  book: OrderStore
  now: () => Date
  /** Told of an order that is looked at for the first time and whose answer goes out late. */
  late: () => void
}

export type PlacementResult = { state: 'placed'; order: Order } | OrderRefusal

/** Takes an order, or refuses it: once for each reference, and in one step in which nothing else happens. */
export function placeOrder(counter: OrderPlacementParts, draft: OrderDraft): PlacementResult {
  const { customers, book, now } = counter
  const kept = book.placement(draft.reference)
  if (kept && kept.customer_id !== draft.customer_id)
    throw new HttpError(409, 'reference_taken', 'this reference names an order of another customer')
  if (kept)
    return 'refused' in kept ? kept.refused : { state: 'placed', order: toProtocolOrder(book.order(kept.order_id)!) }
  const customer = customers.require(draft.customer_id)
  if (customer.ledger) counter.late()
  const { customer_id } = draft
  const refused = refusalOf(counter, customer, draft)
  if (refused) {
    book.savePlacement(draft.reference, { customer_id, refused })
    return refused
  }
  const order = orderOf(draft, book.nextNumber(), now().toISOString())
  book.savePlacement(draft.reference, { customer_id, order_id: order.order_id }, order)
  return { state: 'placed', order: toProtocolOrder(book.order(order.order_id)!) }
}

function refusalOf(
  { taxes, credit }: OrderPlacementParts,
  customer: StoredCustomer,
  draft: OrderDraft,
): OrderRefusal | undefined {
  if (customer.on_hold || customer.ledger === 'LATE_THEN_REFUSED') return refused('ACCOUNT_ON_HOLD')
  if (!customer.payment_methods.includes(draft.payment_method)) return refused('PAYMENT_METHOD_NOT_ALLOWED')
  const rates = draft.lines.map(({ sku }) => taxes.forSku(sku, customer.tax_exempt))
  const unknown = draft.lines.filter((_, i) => rates[i] === undefined).map(({ sku }) => sku)
  if (unknown.length > 0) return refused('LINE_UNAVAILABLE', [...new Set(unknown)])
  const known = rates.filter((tax) => tax !== undefined)
  const counted = computeOrderTotals(draft.lines, known, draft.totals.tax_included)
  if (draft.currency !== customer.currency || !totalsAgree(draft, counted)) return refused('TOTALS_DISAGREE')
  if (draft.payment_method !== 'CREDIT_TERMS') return undefined
  const available = credit.available(customer)
  if (available === null) return refused('PAYMENT_METHOD_NOT_ALLOWED')
  return available.lt(draft.totals.total) ? refused('OVER_CREDIT_LIMIT', [], available) : undefined
}

function refused(reason: OrderRefusal['reason'], skus: string[] = [], available: Decimal | null = null): OrderRefusal {
  return { state: 'refused', reason, skus, available_credit: available && formatAmount(available) }
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
      ...{ amount_due: formatAmount(0), amount_paid: formatAmount(0) },
    },
  }
}

/** An order as its merchant reads it: without the payment session. */
export function toProtocolOrder({ payment: _, ...order }: StoredOrder): Order {
  return order
}
