import { HttpError } from '../http/http-error.ts'
import type { OperationHandlers } from '../protocol/operation-handlers.ts'
import { changePage } from '../storage/change-page.ts'
import { paginate } from '../storage/paginate.ts'
import { toCancelledOrder } from './change-order-status.ts'
import { isResponseDelayed, type OrderPlacementParts, placeOrder, toProtocolOrder } from './order-placement.ts'
import type { OrderStore, StoredOrder } from './order-store.ts'

export type OrderHandlers = Pick<
  OperationHandlers<'accounting'>,
  'placeOrder' | 'listOrders' | 'readOrder' | 'cancelOrder' | 'readPayment' | 'listOrderChanges'
>

interface OrderScope {
  customer_id: string
  by?: 'order_id' | 'reference'
}

/** Handlers of the order operations of one account. */
export function createOrderHandlers(parts: OrderPlacementParts): OrderHandlers {
  const { orders, now } = parts
  return {
    placeOrder: ({ body }) => placeOrder(parts, body),
    listOrders({ query: { customer_id, channel, status, placed_since, limit, offset } }) {
      const since = placed_since === undefined ? 0 : Date.parse(placed_since)
      if (Number.isNaN(since)) throw new HttpError(400, 'bad_request', 'query/placed_since: not a valid date-time')
      const matching = orders
        .listForCustomer(customer_id)
        .filter(
          (order) =>
            (channel === undefined || order.channel === channel) &&
            (status === undefined || order.status === status) &&
            (since === 0 || Date.parse(order.placed_at) >= since),
        )
      const { rows, total, has_more } = paginate(matching.toReversed(), limit, offset)
      return { data: rows.map(toProtocolOrder), total, has_more }
    },
    readOrder: ({ params, query }) => toProtocolOrder(requireOrder(orders, params.key, query)),
    cancelOrder({ params, query, body }) {
      const order = requireOrder(orders, params.key, query)
      if (order.status === 'CANCELLED') return { state: 'cancelled', order: toProtocolOrder(order) }
      const isCancellable = order.status === 'PENDING' || order.status === 'CONFIRMED'
      if (!isCancellable || order.invoiced) return { state: 'refused', status: order.status }
      const cancelled = orders.save(toCancelledOrder(order, body.reason, now().toISOString()))
      return { state: 'cancelled', order: toProtocolOrder(cancelled) }
    },
    readPayment({ params, query }) {
      const { order_id, reference, customer_id, payment } = requireOrder(orders, params.key, query)
      return { order_id, reference, customer_id, ...payment }
    },
    listOrderChanges({ query }) {
      const rows = orders.all().filter((order) => order.channel === 'ECOMMERCE' && !isResponseDelayed(parts, order))
      const { data, ...more } = changePage(rows, ({ order_id }) => order_id, query)
      return { data: data.map(toProtocolOrder), ...more }
    },
  }
}

function requireOrder(orders: OrderStore, key: string, { customer_id, by = 'order_id' }: OrderScope): StoredOrder {
  const placement = by === 'reference' ? orders.findPlacement(key) : undefined
  const orderId = by === 'order_id' ? key : placement && 'order_id' in placement ? placement.order_id : ''
  const order = orders.find(orderId)
  if (order?.customer_id !== customer_id) throw new HttpError(404, 'not_found', 'the order does not exist')
  return order
}
