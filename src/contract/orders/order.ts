import Type, { type Static } from 'typebox'
import { TotalsSchema } from '../cart/cart.ts'
import { ChosenDelivery, FulfillmentMethod } from '../cart/delivery.ts'
import { DecimalString, Money } from '../money.ts'
import { Pagination } from '../pagination.ts'
import { Nullable, Timestamp } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'
import { OrderAddress } from '../shoppers/address.ts'

export const orderStatuses = [
  'PENDING',
  'CONFIRMED',
  'PARTIALLY_SHIPPED',
  'SHIPPED',
  'DELIVERED',
  'REJECTED',
  'CANCELLED',
] as const
export const paymentStatuses = [
  'NOT_REQUIRED',
  'PENDING',
  'PROCESSING',
  'PAID',
  'FAILED',
  'EXPIRED',
  'CANCELLED',
  'REFUNDED',
] as const

export const OrderStatusSchema = Type.Enum([...orderStatuses], { $id: 'OrderStatus' })
export const PaymentStatusSchema = Type.Enum([...paymentStatuses], { $id: 'PaymentStatus' })

const Day = Type.String({ format: 'date' })
const Text = Nullable(Type.String())

export const orderItemMembers = {
  order_id: Type.String(),
  order_number: Nullable(
    Type.String({ description: 'From the accounting system; null until it has accepted the order' }),
  ),
  status: OrderStatusSchema,
  payment_status: PaymentStatusSchema,
  channel: Type.Literal('ECOMMERCE'),
  currency: Type.String(),
  total: Money,
  item_count: Type.Integer({ description: 'The number of lines' }),
  po_number: Text,
  placed_at: Timestamp,
  updated_at: Timestamp,
}

export const OrderItem = Type.Object(orderItemMembers, { $id: 'OrderItem' })
export type OrderItem = Static<typeof OrderItem>

export const OrderDetailLine = Type.Object(
  {
    sku: Type.String(),
    name: Type.String(),
    quantity: Type.Number({ description: 'In the base stock unit' }),
    uom: Type.String(),
    order_uom: Text,
    order_quantity: Nullable(Type.Number()),
    unit_price: Money,
    list_unit_price: Nullable(Money),
    discount: Money,
    tax: Type.Object({ code: Type.String(), rate: DecimalString, amount: Money }, { $id: 'OrderLineTax' }),
    line_total: Money,
  },
  { $id: 'OrderLine' },
)
export type OrderDetailLine = Static<typeof OrderDetailLine>

const PicturedOrderLine = Type.Object(
  { ...OrderDetailLine.properties, thumb_url: Nullable(Type.String({ format: 'uri' })) },
  { $id: 'PicturedOrderLine', description: 'With the picture that its product has now' },
)

export const ShipmentSchema = Type.Object(
  {
    shipment_id: Type.String(),
    carrier: Text,
    tracking_number: Text,
    tracking_url: Nullable(Type.String({ format: 'uri' })),
    shipped_at: Timestamp,
    lines: Type.Array(Type.Object({ sku: Type.String(), quantity: Type.Number() }, { $id: 'ShipmentLine' })),
  },
  { $id: 'Shipment' },
)

const detail = {
  ...orderItemMembers,
  lines: Type.Array(OrderDetailLine),
  totals: TotalsSchema,
  promotions: Type.Array(
    Type.Object({ code: Type.String(), description: Text, discount: Money }, { $id: 'OrderPromotion' }),
  ),
  fulfillment_method: FulfillmentMethod,
  delivery: Nullable(ChosenDelivery, { description: 'null: no delivery option was chosen' }),
  shipping_address: Nullable(OrderAddress),
  billing_address: Nullable(OrderAddress),
  contact: Nullable(Type.Object({ name: Text, phone: Text, email: Text }, { $id: 'Contact' })),
  notes: Text,
  requested_date: Nullable(Day),
  payment_method: Type.Enum(['CREDIT_TERMS', 'CASH_ON_DELIVERY', 'PREPAID'], { $id: 'OrderPaymentMethod' }),
  shipments: Type.Array(ShipmentSchema),
  cancellable: Type.Boolean(),
  cancelled_at: Nullable(Timestamp),
  cancel_reason: Text,
  history: Type.Array(Type.Object({ status: OrderStatusSchema, at: Timestamp }, { $id: 'OrderHistoryEntry' })),
}

export const OrderCore = Type.Object(detail, { $id: 'OrderCore', description: 'An order without its invoices' })
export type OrderCore = Static<typeof OrderCore>

export const OrderDetail = Type.Object(
  {
    ...detail,
    lines: Type.Array(PicturedOrderLine),
    invoices: Nullable(
      Type.Array(
        Type.Object(
          { invoice_id: Type.String(), invoice_number: Type.String(), status: Type.String() },
          { $id: 'OrderInvoice' },
        ),
      ),
    ),
    errors: SectionErrors,
  },
  { $id: 'OrderDetail', description: 'In errors[], `media` means the pictures of the lines' },
)

export const OrderList = Type.Object(
  { data: Type.Array(OrderItem), pagination: Pagination, errors: SectionErrors },
  { $id: 'OrderList' },
)

export const OrderCancelIn = Type.Object(
  {
    reason: Type.Optional(
      Type.Enum(['CUSTOMER_REQUEST', 'ORDERED_BY_MISTAKE', 'FOUND_ELSEWHERE', 'DELIVERY_TOO_LATE', 'OTHER'], {
        $id: 'CancelReason',
      }),
    ),
    note: Type.Optional(Type.String({ maxLength: 500 })),
  },
  { $id: 'OrderCancelIn' },
)
