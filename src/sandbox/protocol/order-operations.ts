import { type Static, Type } from 'typebox'
import { Order, OrderDraft, orderStatusSchema, Payment } from './order-schemas.ts'
import {
  decimalSchema,
  enumSchema,
  idSchema,
  nullableSchema,
  type Operation,
  pageSchema,
  pagingProperties,
  textSchema,
} from './schema-types.ts'

const OrderRefusal = Type.Object({
  state: Type.Literal('refused'),
  reason: enumSchema(
    'OVER_CREDIT_LIMIT',
    'ACCOUNT_ON_HOLD',
    'LINE_UNAVAILABLE',
    'TOTALS_DISAGREE',
    'PAYMENT_METHOD_NOT_ALLOWED',
  ),
  skus: Type.Array(Type.String(), { description: 'The lines that are meant; may be empty.' }),
  available_credit: nullableSchema(decimalSchema()),
})
export type OrderRefusal = Static<typeof OrderRefusal>

const PlaceAnswer = Type.Union([Type.Object({ state: Type.Literal('placed'), order: Order }), OrderRefusal])

const CancelAnswer = Type.Union([
  Type.Object({ state: Type.Literal('cancelled'), order: Order }),
  Type.Object({ state: Type.Literal('refused'), status: orderStatusSchema() }),
])

const key = Type.Object({ key: idSchema() })

/** What belongs to another customer is not there. */
const scope = {
  customer_id: idSchema(),
  by: Type.Optional(
    Type.Unsafe<'order_id' | 'reference'>({
      enum: ['order_id', 'reference'],
      default: 'order_id',
      description: "What the key in the path is: the ledger's own id, or the reference that it was placed with.",
    }),
  ),
}

export const orderOperations = {
  placeOrder: {
    method: 'POST',
    path: '/orders',
    summary:
      'Exactly once for each reference: look for it first, and give the answer that it got before, a refusal too. Count the totals, and refuse what does not agree to the cent; hold the credit limit in the same step as the order is made. 404: there is no such customer.',
    body: OrderDraft,
    answer: PlaceAnswer,
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
    answer: pageSchema(Order),
  },
  readOrder: {
    method: 'GET',
    path: '/orders/{key}',
    summary: 'One order of this customer.',
    params: key,
    query: Type.Object(scope),
    answer: Order,
  },
  cancelOrder: {
    method: 'POST',
    path: '/orders/{key}/cancel',
    summary:
      'Cancels an order that is PENDING or CONFIRMED and not invoiced; a cancelled one is answered as it is, any other refused.',
    params: key,
    query: Type.Object(scope),
    body: Type.Object({ reason: textSchema(64), note: nullableSchema(textSchema(2_000)) }),
    answer: CancelAnswer,
  },
  readPayment: {
    method: 'GET',
    path: '/orders/{key}/payment',
    summary:
      'The payment session of an order; NOT_REQUIRED and without a session when nothing is paid before delivery.',
    params: key,
    query: Type.Object(scope),
    answer: Payment,
  },
} as const satisfies Record<string, Operation>
