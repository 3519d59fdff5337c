import { type Static, Type } from 'typebox'
import type { Operation } from './operation.ts'
import { Order, OrderDraft, orderStatusSchema, Payment } from './order-schemas.ts'
import {
  CHANGE_ORDER,
  changePageSchema,
  changeQuerySchema,
  decimalSchema,
  enumSchema,
  idSchema,
  nullableSchema,
  pageSchema,
  pagingProperties,
  textSchema,
} from './schema-parts.ts'

const OrderRefusal = Type.Object({
  state: Type.Literal('refused'),
  reason: enumSchema(
    'OVER_CREDIT_LIMIT',
    'ACCOUNT_ON_HOLD',
    'LINE_UNAVAILABLE',
    'TOTALS_DISAGREE',
    'PAYMENT_METHOD_NOT_ALLOWED',
  ),
  skus: Type.Array(Type.String(), { description: 'The SKUs that caused the refusal; may be empty.' }),
  available_credit: nullableSchema(decimalSchema()),
})
export type OrderRefusal = Static<typeof OrderRefusal>

const PlaceOrderResponse = Type.Union([Type.Object({ state: Type.Literal('placed'), order: Order }), OrderRefusal])

const CancelOrderResponse = Type.Union([
  Type.Object({ state: Type.Literal('cancelled'), order: Order }),
  Type.Object({ state: Type.Literal('refused'), status: orderStatusSchema() }),
])

const key = Type.Object({ key: idSchema() })

/** Restricts an operation to one customer: orders of others do not exist for it. */
const orderScope = {
  customer_id: idSchema(),
  by: Type.Optional(
    Type.Unsafe<'order_id' | 'reference'>({
      enum: ['order_id', 'reference'],
      default: 'order_id',
      description:
        "The kind of the key in the path: the accounting system's own id, or the reference that the order was placed with.",
    }),
  ),
}

export const orderOperations = {
  placeOrder: {
    method: 'POST',
    path: '/orders',
    summary:
      'Places an order exactly once for each reference: look up the reference first, and return the earlier result, even a refusal. Compute the totals, and refuse an order that differs by a cent. Check the credit limit in the same transaction that creates the order; a system that cannot needs the setting credit_reservation in Forecourt. 404: the customer does not exist.',
    body: OrderDraft,
    response: PlaceOrderResponse,
  },
  listOrders: {
    method: 'GET',
    path: '/orders',
    summary: "A customer's orders, newest first.",
    query: Type.Object({
      customer_id: idSchema(),
      channel: Type.Optional(textSchema(32)),
      status: Type.Optional(orderStatusSchema()),
      placed_since: Type.Optional(Type.String({ maxLength: 40, description: 'RFC 3339, inclusive.' })),
      ...pagingProperties,
    }),
    response: pageSchema(Order),
  },
  readOrder: {
    method: 'GET',
    path: '/orders/{key}',
    summary: 'One order of this customer.',
    params: key,
    query: Type.Object(orderScope),
    response: Order,
  },
  cancelOrder: {
    method: 'POST',
    path: '/orders/{key}/cancel',
    summary:
      'Cancels an order that is PENDING or CONFIRMED and not invoiced. Returns a cancelled order unchanged, and refuses any other.',
    params: key,
    query: Type.Object(orderScope),
    body: Type.Object({ reason: textSchema(64), note: nullableSchema(textSchema(2_000)) }),
    response: CancelOrderResponse,
  },
  readPayment: {
    method: 'GET',
    path: '/orders/{key}/payment',
    summary: 'The payment session of an order; NOT_REQUIRED without a session when nothing is paid before delivery.',
    params: key,
    query: Type.Object(orderScope),
    response: Payment,
  },
  listOrderChanges: {
    method: 'GET',
    path: '/changes/orders',
    summary: `Orders of channel ECOMMERCE, of all customers, with any change: status, shipment, invoice or payment. ${CHANGE_ORDER}`,
    query: changeQuerySchema,
    response: changePageSchema(Order),
  },
} as const satisfies Record<string, Operation>
