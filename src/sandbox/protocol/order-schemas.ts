import { type Static, Type } from 'typebox'
import { Address } from './customer-operations.ts'
import { amount, day, id, moment, nullable, oneOf, text } from './schema-types.ts'

export const orderStatus = () =>
  oneOf('PENDING', 'CONFIRMED', 'PARTIALLY_SHIPPED', 'SHIPPED', 'DELIVERED', 'REJECTED', 'CANCELLED')

export const paymentStatus = () =>
  oneOf('NOT_REQUIRED', 'PENDING', 'PROCESSING', 'PAID', 'FAILED', 'EXPIRED', 'CANCELLED', 'REFUNDED')

export const TaxTotal = Type.Object({
  code: text(64),
  name: text(200),
  rate: amount(),
  base: amount(),
  amount: amount(),
})

const Line = Type.Object({
  sku: id(),
  name: text(300),
  quantity: amount(),
  uom: text(64),
  order_uom: nullable(text(64)),
  order_quantity: nullable(amount()),
  unit_price: amount(),
  list_unit_price: nullable(amount()),
  discount: Type.String({ pattern: '^\\d{1,15}(\\.\\d{1,10})?$', description: 'Of the whole line.' }),
  tax: Type.Object({ code: text(64), rate: amount(), amount: amount() }),
  line_total: Type.String({
    pattern: '^\\d{1,15}(\\.\\d{1,10})?$',
    description: 'unit_price × quantity − discount, and the tax when prices are without; rounded half up.',
  }),
})

const Totals = Type.Object({
  subtotal: amount(),
  discount_total: amount(),
  tax_total: amount(),
  shipping_total: amount(),
  total: amount(),
  taxes: Type.Array(TaxTotal),
  tax_included: Type.Boolean(),
})

/** What a draft and an order have in common. */
const common = {
  customer_id: id(),
  channel: Type.String({ maxLength: 32, description: 'ECOMMERCE for what Forecourt places.' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  fulfillment_method: oneOf('DELIVERY', 'PICKUP'),
  shipping_address: nullable(Address),
  billing_address: nullable(Address),
  contact: nullable(Type.Object({ name: nullable(text(200)), phone: nullable(text(64)), email: nullable(text(320)) })),
  po_number: nullable(text(128)),
  notes: nullable(text(4_000)),
  requested_date: nullable(day()),
  lines: Type.Array(Line, { minItems: 1, maxItems: 500 }),
  promotions: Type.Array(Type.Object({ code: text(64), description: nullable(text(500)), discount: amount() })),
  totals: Totals,
}

export const OrderDraft = Type.Object({
  reference: Type.String({ minLength: 1, maxLength: 128, description: 'Names this order for ever.' }),
  ...common,
  payment_method: oneOf('CREDIT_TERMS', 'CASH_ON_DELIVERY'),
})
export type OrderDraft = Static<typeof OrderDraft>

export const Order = Type.Object({
  order_id: Type.String({ description: "The ledger's own." }),
  order_number: Type.String(),
  reference: nullable(Type.String({ description: 'What it was placed with.' })),
  ...common,
  payment_method: oneOf('CREDIT_TERMS', 'CASH_ON_DELIVERY', 'PREPAID'),
  status: orderStatus(),
  payment_status: paymentStatus(),
  placed_at: moment(),
  updated_at: moment(),
  shipments: Type.Array(
    Type.Object({
      shipment_id: Type.String(),
      carrier: nullable(Type.String()),
      tracking_number: nullable(Type.String()),
      tracking_url: nullable(Type.String()),
      shipped_at: moment(),
      lines: Type.Array(Type.Object({ sku: Type.String(), quantity: amount() })),
    }),
  ),
  invoiced: Type.Boolean({ description: 'Whether anything of it was invoiced.' }),
  cancelled_at: nullable(moment()),
  cancel_reason: nullable(Type.String()),
  history: Type.Array(Type.Object({ status: orderStatus(), at: moment() })),
})
export type Order = Static<typeof Order>

export const Payment = Type.Object({
  session_id: nullable(Type.String()),
  status: paymentStatus(),
  amount_due: amount(),
  amount_paid: amount(),
  redirect_url: nullable(Type.String()),
  expires_at: nullable(moment()),
  updated_at: moment(),
})
export type Payment = Static<typeof Payment>
