import { Type } from 'typebox'
import { AddressRow } from './address-mapping.ts'
import { OrderDeliveryRow } from './delivery-mapping.ts'
import { DateString, DecimalString, IdString, nullish, stringEnum } from './protocol-values.ts'

export const OrderStatusSchema = stringEnum(
  'PENDING',
  'CONFIRMED',
  'PARTIALLY_SHIPPED',
  'SHIPPED',
  'DELIVERED',
  'REJECTED',
  'CANCELLED',
)

export const PaymentStatusSchema = stringEnum(
  'NOT_REQUIRED',
  'PENDING',
  'PROCESSING',
  'PAID',
  'FAILED',
  'EXPIRED',
  'CANCELLED',
  'REFUNDED',
)

export const TaxRow = Type.Object({
  code: Type.String(),
  name: Type.Optional(Type.String()),
  rate: DecimalString,
  base: DecimalString,
  amount: DecimalString,
})

export const OrderLineRow = Type.Object({
  sku: Type.String(),
  name: Type.Optional(Type.String()),
  quantity: DecimalString,
  uom: Type.String(),
  order_uom: nullish(Type.String()),
  order_quantity: nullish(DecimalString),
  unit_price: DecimalString,
  list_unit_price: nullish(DecimalString),
  discount: nullish(DecimalString),
  tax: Type.Object({ code: Type.String(), rate: DecimalString, amount: DecimalString }),
  line_total: DecimalString,
})

export const ShipmentRow = Type.Object({
  shipment_id: Type.String(),
  carrier: nullish(Type.String()),
  tracking_number: nullish(Type.String()),
  tracking_url: nullish(Type.String()),
  shipped_at: Type.String(),
  lines: Type.Array(Type.Object({ sku: Type.String(), quantity: DecimalString })),
})

/** The row of an order. Members that a small back office may not have are optional. */
export const OrderRow = Type.Object({
  order_id: IdString,
  order_number: Type.String(),
  reference: nullish(Type.String()),
  customer_id: Type.String(),
  channel: nullish(Type.String()),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  status: OrderStatusSchema,
  payment_status: PaymentStatusSchema,
  payment_method: stringEnum('CREDIT_TERMS', 'CASH_ON_DELIVERY', 'PREPAID'),
  fulfillment_method: Type.Optional(stringEnum('DELIVERY', 'PICKUP')),
  delivery: nullish(OrderDeliveryRow),
  shipping_address: nullish(AddressRow),
  billing_address: nullish(AddressRow),
  contact: nullish(
    Type.Object({ name: nullish(Type.String()), phone: nullish(Type.String()), email: nullish(Type.String()) }),
  ),
  po_number: nullish(Type.String()),
  notes: nullish(Type.String()),
  requested_date: nullish(DateString),
  lines: Type.Array(OrderLineRow),
  promotions: nullish(
    Type.Array(Type.Object({ code: Type.String(), description: nullish(Type.String()), discount: DecimalString })),
  ),
  totals: Type.Object({
    subtotal: DecimalString,
    discount_total: nullish(DecimalString),
    tax_total: DecimalString,
    shipping_total: nullish(DecimalString),
    total: DecimalString,
    taxes: nullish(Type.Array(TaxRow)),
    tax_included: Type.Boolean(),
  }),
  placed_at: Type.String(),
  updated_at: Type.String(),
  shipments: nullish(Type.Array(ShipmentRow)),
  invoiced: Type.Boolean(),
  cancelled_at: nullish(Type.String()),
  cancel_reason: nullish(Type.String()),
  history: nullish(Type.Array(Type.Object({ status: OrderStatusSchema, at: Type.String() }))),
})

/** The row of a payment. It names its order and customer, so that nobody sees the payment of another. */
export const PaymentRow = Type.Object({
  order_id: IdString,
  reference: nullish(Type.String()),
  customer_id: Type.String(),
  session_id: nullish(Type.String()),
  status: PaymentStatusSchema,
  amount_due: DecimalString,
  amount_paid: DecimalString,
  redirect_url: nullish(Type.String()),
  expires_at: nullish(Type.String()),
  updated_at: Type.String(),
})
