import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { AccountingPort } from '../../src/ports/accounting.ts'
import type { Order, OrderKey, PlaceOrderResult } from '../../src/ports/order.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { parseRows } from '../parse-rows.ts'
import { createChangeFeed } from './change-feed.ts'
import { type AmountFormatter, toOrder, toPayment } from './order-mapping.ts'
import { OrderRow, OrderStatusSchema, PaymentRow } from './order-schemas.ts'
import type { ProtocolClient } from './protocol-client.ts'
import { nullish, PageOfRows, SignedDecimalString, stringEnum } from './protocol-values.ts'

const CHANNEL = 'ECOMMERCE'

const RefusedRow = Type.Object({
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
const PlacedShape = responseSchema(
  Type.Union([Type.Object({ state: Type.Literal('placed'), order: OrderRow }), RefusedRow]),
)
const CancelledShape = responseSchema(
  Type.Union([
    Type.Object({ state: Type.Literal('cancelled'), order: OrderRow }),
    Type.Object({ state: Type.Literal('refused'), status: OrderStatusSchema }),
  ]),
)
const OrderShape = responseSchema(OrderRow)
const PaymentShape = responseSchema(PaymentRow)

type OrderMethods = Required<
  Pick<AccountingPort, 'placeOrder' | 'order' | 'orders' | 'cancelOrder' | 'payment' | 'orderChanges'>
>

const isStorefrontOrder = ({ channel }: Static<typeof OrderRow>) => (channel ?? CHANNEL) === CHANNEL

export function connectOrders(protocol: ProtocolClient, formatAmount: AmountFormatter): OrderMethods {
  const { json, jsonOrNull } = protocol
  /** Maps an order, or returns `null` when it belongs to another customer or channel. Not every system filters carefully. */
  function toOrderOfCustomer(customerId: string, row: Static<typeof OrderRow>): Order | null {
    return row.customer_id === customerId && isStorefrontOrder(row) ? toOrder(row, formatAmount) : null
  }

  return {
    async placeOrder(draft, call): Promise<PlaceOrderResult> {
      const response = await json(PlacedShape, { method: 'POST', path: '/orders', body: draft }, call)
      if (response.state === 'placed') {
        const { order } = response
        if (order.reference !== draft.reference || order.customer_id !== draft.customer_id)
          throw new UpstreamError('invalid', 'the response holds another order')
        return { state: 'placed', order: toOrder(order, formatAmount) }
      }
      const { reason, skus = [], available_credit } = response
      return {
        state: 'refused',
        reason,
        skus: skus.filter((sku) => draft.lines.some((line) => line.sku === sku)),
        available_credit: available_credit ? formatAmount(available_credit) : null,
      }
    },
    async order(customerId, key, call) {
      const row = await jsonOrNull(OrderShape, { method: 'GET', ...toOrderRequest(customerId, key) }, call)
      return row && toOrderOfCustomer(customerId, assertRequested(key, row))
    },
    async orders(customerId, query, call) {
      const { limit, offset, status, placed_since } = query
      const filters = { customer_id: customerId, channel: CHANNEL, status, placed_since, limit, offset }
      const page = await json(PageOfRows, { method: 'GET', path: '/orders', query: filters, rows: limit }, call)
      const rows = parseRows(page.data.slice(0, limit), OrderShape, (row) => toOrderOfCustomer(customerId, row))
      return {
        orders: rows.filter((order) => order !== null),
        total: page.total ?? null,
        has_more: page.has_more || page.data.length > limit,
      }
    },
    async cancelOrder(customerId, key, { reason, note }, call) {
      const request = toOrderRequest(customerId, key, '/cancel')
      const response = await jsonOrNull(CancelledShape, { method: 'POST', ...request, body: { reason, note } }, call)
      if (response?.state !== 'cancelled') return response && { state: 'refused', status: response.status }
      const order = toOrderOfCustomer(customerId, assertRequested(key, response.order))
      return order && { state: 'cancelled', order }
    },
    async payment(customerId, key, call) {
      const row = await jsonOrNull(
        PaymentShape,
        { method: 'GET', ...toOrderRequest(customerId, key, '/payment') },
        call,
      )
      if (row && assertRequested(key, row).customer_id !== customerId) return null
      return row && toPayment(row, formatAmount)
    },
    orderChanges: createChangeFeed(protocol, '/changes/orders', OrderRow, (row) =>
      isStorefrontOrder(row) ? toOrder(row, formatAmount) : null,
    ),
  }
}

/** Returns the row if it belongs to the order that was requested. */
function assertRequested<R extends { order_id: string; reference?: string | null }>(key: OrderKey, row: R): R {
  const isRequested = 'reference' in key ? row.reference === key.reference : row.order_id === key.order_id
  if (!isRequested) throw new UpstreamError('invalid', 'the response belongs to another order')
  return row
}

function toOrderRequest(customer_id: string, key: OrderKey, suffix = '') {
  const [by, id] = 'reference' in key ? ['reference', key.reference] : ['order_id', key.order_id]
  return { path: `/orders/${encodeURIComponent(id!)}${suffix}`, query: { customer_id, by } }
}
