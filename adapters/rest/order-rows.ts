import { Type } from 'typebox'
import { AddressRow } from './addresses.ts'
import { Day, Decimal, maybe, oneOf } from './protocol.ts'

export const OrderStatus = oneOf(
  ...(['PENDING', 'CONFIRMED', 'PARTIALLY_SHIPPED', 'SHIPPED', 'DELIVERED', 'REJECTED', 'CANCELLED'] as const),
)

export const PaymentStatus = oneOf(
  ...([
    ...(['NOT_REQUIRED', 'PENDING', 'PROCESSING', 'PAID'] as const),
    ...(['FAILED', 'EXPIRED', 'CANCELLED', 'REFUNDED'] as const),
  ] as const),
)

export const TaxRow = Type.Object({
  code: Type.String(),
  name: Type.Optional(Type.String()),
  rate: Decimal,
  base: Decimal,
  amount: Decimal,
})

export const LineRow = Type.Object({
  sku: Type.String(),
  name: Type.Optional(Type.String()),
  quantity: Decimal,
  uom: Type.String(),
  order_uom: maybe(Type.String()),
  order_quantity: maybe(Decimal),
  unit_price: Decimal,
  list_unit_price: maybe(Decimal),
  discount: maybe(Decimal),
  tax: Type.Object({ code: Type.String(), rate: Decimal, amount: Decimal }),
  line_total: Decimal,
})

export const ShipmentRow = Type.Object({
  shipment_id: Type.String(),
  carrier: maybe(Type.String()),
  tracking_number: maybe(Type.String()),
  tracking_url: maybe(Type.String()),
  shipped_at: Type.String(),
  lines: Type.Array(Type.Object({ sku: Type.String(), quantity: Decimal })),
})

/** An order as a system answers it; what is optional here is what a small back office may not keep. */
export const OrderRow = Type.Object({
  order_id: Type.String({ minLength: 1 }),
  order_number: Type.String(),
  reference: maybe(Type.String()),
  customer_id: Type.String(),
  channel: maybe(Type.String()),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  status: OrderStatus,
  payment_status: PaymentStatus,
  payment_method: oneOf('CREDIT_TERMS', 'CASH_ON_DELIVERY', 'PREPAID'),
  fulfillment_method: Type.Optional(oneOf('DELIVERY', 'PICKUP')),
  shipping_address: maybe(AddressRow),
  billing_address: maybe(AddressRow),
  contact: maybe(Type.Object({ name: maybe(Type.String()), phone: maybe(Type.String()), email: maybe(Type.String()) })),
  po_number: maybe(Type.String()),
  notes: maybe(Type.String()),
  requested_date: maybe(Day),
  lines: Type.Array(LineRow),
  promotions: maybe(
    Type.Array(Type.Object({ code: Type.String(), description: maybe(Type.String()), discount: Decimal })),
  ),
  totals: Type.Object({
    subtotal: Decimal,
    discount_total: maybe(Decimal),
    tax_total: Decimal,
    shipping_total: maybe(Decimal),
    total: Decimal,
    taxes: maybe(Type.Array(TaxRow)),
    tax_included: Type.Boolean(),
  }),
  placed_at: Type.String(),
  updated_at: Type.String(),
  shipments: maybe(Type.Array(ShipmentRow)),
  invoiced: Type.Boolean(),
  cancelled_at: maybe(Type.String()),
  cancel_reason: maybe(Type.String()),
  history: maybe(Type.Array(Type.Object({ status: OrderStatus, at: Type.String() }))),
})

export const PaymentRow = Type.Object({
  session_id: maybe(Type.String()),
  status: PaymentStatus,
  amount_due: Decimal,
  amount_paid: Decimal,
  redirect_url: maybe(Type.String()),
  expires_at: maybe(Type.String()),
  updated_at: Type.String(),
})
