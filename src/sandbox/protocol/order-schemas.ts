import { type Static, Type } from 'typebox'
import { Address } from './customer-operations.ts'
import { PickupPlace } from './delivery-operations.ts'
import {
  amountSchema,
  dateSchema,
  enumSchema,
  idSchema,
  nullableSchema,
  textSchema,
  timestampSchema,
} from './schema-parts.ts'

export const orderStatusSchema = () =>
  enumSchema('PENDING', 'CONFIRMED', 'PARTIALLY_SHIPPED', 'SHIPPED', 'DELIVERED', 'REJECTED', 'CANCELLED')

export const paymentStatusSchema = () =>
  enumSchema('NOT_REQUIRED', 'PENDING', 'PROCESSING', 'PAID', 'FAILED', 'EXPIRED', 'CANCELLED', 'REFUNDED')

export const TaxTotal = Type.Object({
  code: textSchema(64),
  name: textSchema(200),
  rate: amountSchema(),
  base: amountSchema(),
  amount: amountSchema(),
})

const Line = Type.Object({
  sku: idSchema(),
  name: textSchema(300),
  quantity: amountSchema(),
  uom: textSchema(64),
  order_uom: nullableSchema(textSchema(64)),
  order_quantity: nullableSchema(amountSchema()),
  unit_price: amountSchema(),
  list_unit_price: nullableSchema(amountSchema()),
  discount: Type.String({ pattern: '^\\d{1,15}(\\.\\d{1,10})?$', description: 'The discount on the whole line.' }),
  tax: Type.Object({ code: textSchema(64), rate: amountSchema(), amount: amountSchema() }),
  line_total: Type.String({
    pattern: '^\\d{1,15}(\\.\\d{1,10})?$',
    description: 'unit_price × quantity − discount, plus the tax when prices exclude it; rounded half up.',
  }),
})

const Totals = Type.Object({
  subtotal: amountSchema(),
  discount_total: amountSchema(),
  tax_total: amountSchema(),
  shipping_total: Type.String({
    pattern: '^\\d{1,15}(\\.\\d{1,10})?$',
    description: 'The price of the delivery; its tax is in tax_total, and both are in total.',
  }),
  total: amountSchema(),
  taxes: Type.Array(TaxTotal),
  tax_included: Type.Boolean(),
})

/** The members of both a draft and an order. */
const commonProperties = {
  customer_id: idSchema(),
  channel: Type.String({ maxLength: 32, description: 'ECOMMERCE for orders placed by Forecourt.' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  fulfillment_method: enumSchema('DELIVERY', 'PICKUP'),
  delivery: Type.Optional(
    nullableSchema(
      Type.Object({
        delivery_option_id: idSchema(),
        name: textSchema(200),
        pickup_place: nullableSchema(PickupPlace),
      }),
    ),
  ),
  shipping_address: nullableSchema(Address),
  billing_address: nullableSchema(Address),
  contact: nullableSchema(
    Type.Object({
      name: nullableSchema(textSchema(200)),
      phone: nullableSchema(textSchema(64)),
      email: nullableSchema(textSchema(320)),
    }),
  ),
  po_number: nullableSchema(textSchema(128)),
  notes: nullableSchema(textSchema(4_000)),
  requested_date: nullableSchema(dateSchema()),
  lines: Type.Array(Line, { minItems: 1, maxItems: 500 }),
  promotions: Type.Array(
    Type.Object({ code: textSchema(64), description: nullableSchema(textSchema(500)), discount: amountSchema() }),
  ),
  totals: Totals,
}

export const OrderDraft = Type.Object({
  reference: Type.String({ minLength: 1, maxLength: 128, description: 'Identifies this order permanently.' }),
  ...commonProperties,
  payment_method: enumSchema('CREDIT_TERMS', 'CASH_ON_DELIVERY'),
})
export type OrderDraft = Static<typeof OrderDraft>

export const Order = Type.Object({
  order_id: Type.String({ description: "The accounting system's own id of the order." }),
  order_number: Type.String(),
  reference: nullableSchema(Type.String({ description: 'The reference that it was placed with.' })),
  ...commonProperties,
  payment_method: enumSchema('CREDIT_TERMS', 'CASH_ON_DELIVERY', 'PREPAID'),
  status: orderStatusSchema(),
  payment_status: paymentStatusSchema(),
  placed_at: timestampSchema(),
  updated_at: timestampSchema(),
  shipments: Type.Array(
    Type.Object({
      shipment_id: Type.String(),
      carrier: nullableSchema(Type.String()),
      tracking_number: nullableSchema(Type.String()),
      tracking_url: nullableSchema(Type.String()),
      shipped_at: timestampSchema(),
      lines: Type.Array(Type.Object({ sku: Type.String(), quantity: amountSchema() })),
    }),
  ),
  invoiced: Type.Boolean({ description: 'True when any part of the order is invoiced.' }),
  cancelled_at: nullableSchema(timestampSchema()),
  cancel_reason: nullableSchema(Type.String()),
  history: Type.Array(Type.Object({ status: orderStatusSchema(), at: timestampSchema() })),
})
export type Order = Static<typeof Order>

const paymentProperties = {
  session_id: nullableSchema(Type.String()),
  status: paymentStatusSchema(),
  amount_due: amountSchema(),
  amount_paid: amountSchema(),
  redirect_url: nullableSchema(Type.String()),
  expires_at: nullableSchema(timestampSchema()),
  updated_at: timestampSchema(),
}
const PaymentSession = Type.Object(paymentProperties)
export type PaymentSession = Static<typeof PaymentSession>

export const Payment = Type.Object({
  order_id: Type.String({ description: "The accounting system's own id of the order." }),
  reference: nullableSchema(Type.String({ description: 'The reference that the order was placed with.' })),
  customer_id: Type.String(),
  ...paymentProperties,
})
