import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { AccountingPort, OrderKey } from '../../src/ports/accounting.ts'
import type { Order, PlaceOrderResult } from '../../src/ports/order.ts'
import { responseSchema } from '../../src/upstream/response-schema.ts'
import { parseRows } from '../parse-rows.ts'
import { createChangeFeed } from './change-feed.ts'
import { type AmountFormatter, toOrder, toPayment } from './order-mapping.ts'
import { OrderRow, OrderStatusSchema, PaymentRow } from './order-rows.ts'
import { nullish, PageOfRows, type ProtocolClient, SignedDecimalString, stringEnum } from './protocol.ts'

const CHANNEL = 'ECOMMERCE'

const Refused = Type.Object({
  state: Type.Literal('refused'),
  reason: stringEnum(
    'OVER_CREDIT_LIMIT',
    'ACCOUNT_ON_HOLD',
    'LINE_UNAVAILABLE',
    'TOTALS_DISAGREE',
    'PAYMENT_METHOD_NOT_ALLOWED',
  ),
  skus: Type.Optional(Type.Array(Type.String())),
  available_credit: nullish(SignedDecimalString),
})
const Placed = responseSchema(Type.Union([Type.Object({ state: Type.Literal('placed'), order: OrderRow }), Refused]))
const Cancelled = responseSchema(
  Type.Union([
    Type.Object({ state: Type.Literal('cancelled'), order: OrderRow }),
    Type.Object({ state: Type.Literal('refused'), status: OrderStatusSchema }),
  ]),
)
const OrderShape = responseSchema(OrderRow)
const PaymentShape = responseSchema(PaymentRow)

type Orders = Required<
  Pick<AccountingPort, 'placeOrder' | 'order' | 'orders' | 'cancelOrder' | 'payment' | 'orderChanges'>
>

const isOurs = ({ channel }: Static<typeof OrderRow>) => (channel ?? CHANNEL) === CHANNEL

export function connectOrders(wire: ProtocolClient, amount: AmountFormatter): Orders {
  const { json, jsonOrNull } = wire
  /** An order of this customer's and of this channel; a system that is less careful does not show us another's. */
  function ownOf(customerId: string, row: Static<typeof OrderRow>): Order | null {
    return row.customer_id === customerId && isOurs(row) ? toOrder(row, amount) : null
  }

  return {
    async placeOrder(draft, call): Promise<PlaceOrderResult> {
      const answer = await json(Placed, { method: 'POST', path: '/orders', body: draft }, call)
      if (answer.state === 'placed') {
        const { order } = answer
        if (order.reference !== draft.reference || order.customer_id !== draft.customer_id)
          throw new UpstreamError('invalid', 'the order that was answered is another one')
        return { state: 'placed', order: toOrder(order, amount) }
      }
      const { reason, skus = [], available_credit } = answer
      return {
        state: 'refused',
        reason,
        skus: skus.filter((sku) => draft.lines.some((line) => line.sku === sku)),
        available_credit: available_credit ? amount(available_credit) : null,
      }
    },
    async order(customerId, key, call) {
      const row = await jsonOrNull(OrderShape, { method: 'GET', ...addressed(customerId, key) }, call)
      return row && ownOf(customerId, row)
    },
    async orders(customerId, query, call) {
      const { limit, offset, status, placed_since } = query
      const asked = { customer_id: customerId, channel: CHANNEL, status, placed_since, limit, offset }
      const page = await json(PageOfRows, { method: 'GET', path: '/orders', query: asked }, call)
      const rows = parseRows(page.data, OrderShape, (row) => ownOf(customerId, row))
      const own = rows.filter((order) => order !== null)
      return {
        orders: own.slice(0, limit),
        total: page.total ?? null,
        has_more: page.has_more || page.data.length > limit,
      }
    },
    async cancelOrder(customerId, key, { reason, note }, call) {
      const exchange = addressed(customerId, key, '/cancel')
      const answer = await jsonOrNull(Cancelled, { method: 'POST', ...exchange, body: { reason, note } }, call)
      if (answer?.state !== 'cancelled') return answer && { state: 'refused', status: answer.status }
      const order = ownOf(customerId, answer.order)
      return order && { state: 'cancelled', order }
    },
    async payment(customerId, key, call) {
      const row = await jsonOrNull(PaymentShape, { method: 'GET', ...addressed(customerId, key, '/payment') }, call)
      return row && toPayment(row, amount)
    },
    orderChanges: createChangeFeed(wire, '/changes/orders', OrderRow, (row) =>
      isOurs(row) ? toOrder(row, amount) : null,
    ),
  }
}

function addressed(customer_id: string, key: OrderKey, rest = '') {
  const [by, id] = 'reference' in key ? ['reference', key.reference] : ['order_id', key.order_id]
  return { path: `/orders/${encodeURIComponent(id!)}${rest}`, query: { customer_id, by } }
}
