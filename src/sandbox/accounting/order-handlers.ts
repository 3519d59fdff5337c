import { HttpError } from '../http/http-error.ts'
import { paginate } from '../inventory/product-search.ts'
import type { OperationHandlers } from '../protocol/operation-handlers.ts'
import type { Payment } from '../protocol/order-schemas.ts'
import { changePage } from '../storage/change-page.ts'
import { type OrderPlacementParts, placeOrder, toProtocolOrder } from './order-placement.ts'
import type { OrderStore, StoredOrder } from './order-store.ts'

export type OrderHandlers = Pick<
  OperationHandlers<'accounting'>,
  'placeOrder' | 'listOrders' | 'readOrder' | 'cancelOrder' | 'readPayment' | 'listOrderChanges'
>

interface Scope {
  customer_id: string
  by?: 'order_id' | 'reference'
}

/** What a merchant asks of the orders of one account. */
export function createOrderHandlers(counter: OrderPlacementParts): OrderHandlers {
  const { book, now } = counter
  return {
    placeOrder: ({ body }) => placeOrder(counter, body),
    listOrders({ query: { customer_id, channel, status, placed_since, limit, offset } }) {
      const since = placed_since === undefined ? 0 : Date.parse(placed_since)
      if (Number.isNaN(since)) throw new HttpError(400, 'bad_request', 'query/placed_since: no such moment')
      const matching = book
        .forCustomer(customer_id)
        .filter(
          (order) =>
            (channel === undefined || order.channel === channel) &&
            (status === undefined || order.status === status) &&
            (since === 0 || Date.parse(order.placed_at) >= since),
        )
      const { rows, total, has_more } = paginate(matching.toReversed(), limit, offset)
      return { data: rows.map(toProtocolOrder), total, has_more }
    },
    readOrder: ({ params, query }) => toProtocolOrder(found(book, params.key, query)),
    cancelOrder({ params, query, body }) {
      const order = found(book, params.key, query)
      if (order.status === 'CANCELLED') return { state: 'cancelled', order: toProtocolOrder(order) }
      const open = order.status === 'PENDING' || order.status === 'CONFIRMED'
      if (!open || order.invoiced) return { state: 'refused', status: order.status }
      const kept = book.save(toCancelledOrder(order, body.reason, now().toISOString()))
      return { state: 'cancelled', order: toProtocolOrder(kept) }
    },
    readPayment: ({ params, query }) => found(book, params.key, query).payment,
    listOrderChanges({ query }) {
      const rows = book.all().filter(({ channel }) => channel === 'ECOMMERCE')
      const { data, has_more } = changePage(rows, ({ order_id }) => order_id, query)
      return { data: data.map(toProtocolOrder), has_more }
    },
  }
}

/** The order in its next state. */
export function withOrderStatus(order: StoredOrder, status: StoredOrder['status'], at: string): StoredOrder {
  const history = order.status === status ? order.history : [...order.history, { status, at }]
  return { ...order, status, history, updated_at: at }
}

export function toCancelledOrder(order: StoredOrder, reason: string, at: string): StoredOrder {
  const payment = cancelledPayment(order.payment, at)
  const ended = { ...withOrderStatus(order, 'CANCELLED', at), payment, payment_status: payment.status }
  return { ...ended, cancelled_at: at, cancel_reason: reason }
}

/** Money that came goes back, and a session that waits for it ends. */
function cancelledPayment(payment: Payment, at: string): Payment {
  if (payment.status === 'PAID') return { ...payment, status: 'REFUNDED', updated_at: at }
  const waits = payment.status === 'PENDING' || payment.status === 'PROCESSING'
  return waits ? { ...payment, status: 'CANCELLED', redirect_url: null, updated_at: at } : payment
}

function found(book: OrderStore, key: string, { customer_id, by = 'order_id' }: Scope): StoredOrder {
  const answer = by === 'reference' ? book.placement(key) : undefined
  const orderId = by === 'order_id' ? key : answer && 'order_id' in answer ? answer.order_id : ''
  const order = book.order(orderId)
  if (order?.customer_id !== customer_id) throw new HttpError(404, 'not_found', 'there is no such order')
  return order
}
