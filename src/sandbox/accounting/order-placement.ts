import type { Decimal } from 'decimal.js'
import { HttpError } from '../http/http-error.ts'
import { formatAmount } from '../money.ts'
import type { OrderRefusal } from '../protocol/order-operations.ts'
import type { Order, OrderDraft } from '../protocol/order-schemas.ts'
import type { CustomerCredit } from './customer-credit.ts'
import type { CustomerStore, StoredCustomer } from './customer-store.ts'
import type { DeliveryOptionStore } from './delivery-option-store.ts'
import type { OrderStore, StoredOrder } from './order-store.ts'
import { computeOrderTotals, totalsAgree } from './order-totals.ts'
import type { TaxRates } from './tax-rates.ts'

/** How late a slow ledger responds to a new order: longer than a checkout waits. */
export const SLOW_LEDGER_DELAY_MS = 5_000

export interface OrderPlacementParts {
  customers: CustomerStore
  taxes: TaxRates
  deliveries: DeliveryOptionStore
  credit: CustomerCredit
  orders: OrderStore
  now: () => Date
  /** Delays the response to the first attempt at an order of a customer with a slow ledger. */
  delayResponse: () => void
}

export type PlacementResult = { state: 'placed'; order: Order } | OrderRefusal

/** Places an order or refuses it. Repeating a reference returns the first result. Synchronous, so that nothing happens in between. */
export function placeOrder(parts: OrderPlacementParts, draft: OrderDraft): PlacementResult {
  const { customers, orders, now } = parts
  const previous = orders.findPlacement(draft.reference)
  if (previous && previous.customer_id !== draft.customer_id)
    throw new HttpError(409, 'reference_taken', 'another customer has used this reference')
  if (previous)
    return 'refused' in previous
      ? previous.refused
      : { state: 'placed', order: toProtocolOrder(orders.find(previous.order_id)!) }
  const customer = customers.require(draft.customer_id)
  if (customer.ledger) parts.delayResponse()
  const { customer_id } = draft
  const refusal = findRefusal(parts, customer, draft)
  if (refusal) {
    orders.savePlacement(draft.reference, { customer_id, refused: refusal })
    return refusal
  }
  const order = createOrder(draft, orders.nextNumber(), now().toISOString())
  orders.savePlacement(draft.reference, { customer_id, order_id: order.order_id }, order)
  return { state: 'placed', order: toProtocolOrder(orders.find(order.order_id)!) }
}

/** A slow ledger reports an order no sooner in its changes than in its response. */
export const isResponseDelayed = ({ customers, now }: OrderPlacementParts, order: StoredOrder): boolean =>
  customers.require(order.customer_id).ledger !== null &&
  now().getTime() - Date.parse(order.placed_at) < SLOW_LEDGER_DELAY_MS

function findRefusal(
  { taxes, deliveries, credit }: OrderPlacementParts,
  customer: StoredCustomer,
  draft: OrderDraft,
): OrderRefusal | undefined {
  if (customer.on_hold || customer.ledger === 'LATE_THEN_REFUSED') return createRefusal('ACCOUNT_ON_HOLD')
  if (!customer.payment_methods.includes(draft.payment_method)) return createRefusal('PAYMENT_METHOD_NOT_ALLOWED')
  const rates = draft.lines.map(({ sku }) => taxes.forSku(sku, customer.tax_exempt))
  const unknownSkus = draft.lines.filter((_, i) => rates[i] === undefined).map(({ sku }) => sku)
  if (unknownSkus.length > 0) return createRefusal('LINE_UNAVAILABLE', [...new Set(unknownSkus)])
  const lineTaxes = rates.filter((tax) => tax !== undefined)
  const delivery = draft.delivery ? deliveries.findForDraft(draft) : undefined
  if (draft.delivery && !delivery) return createRefusal('TOTALS_DISAGREE')
  const computed = computeOrderTotals(draft.lines, lineTaxes, draft.totals.tax_included, delivery)
  if (draft.currency !== customer.currency || !totalsAgree(draft, computed)) return createRefusal('TOTALS_DISAGREE')
  if (draft.payment_method !== 'CREDIT_TERMS') return undefined
  const available = credit.available(customer)
  if (available === null) return createRefusal('PAYMENT_METHOD_NOT_ALLOWED')
  return available.lt(draft.totals.total) ? createRefusal('OVER_CREDIT_LIMIT', [], available) : undefined
}

function createRefusal(
  reason: OrderRefusal['reason'],
  skus: string[] = [],
  available: Decimal | null = null,
): OrderRefusal {
  return { state: 'refused', reason, skus, available_credit: available && formatAmount(available) }
}

function createOrder(draft: OrderDraft, number: number, at: string): StoredOrder {
  return {
    ...draft,
    order_id: `SO-${number}`,
    order_number: `SO-${number}`,
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
      session_id: null,
      status: 'NOT_REQUIRED',
      redirect_url: null,
      expires_at: null,
      updated_at: at,
      amount_due: formatAmount(0),
      amount_paid: formatAmount(0),
    },
  }
}

/** An order as the protocol returns it: without the payment session. */
export function toProtocolOrder({ payment: _, ...order }: StoredOrder): Order {
  return order
}
