import Type, { type TObject } from 'typebox'
import { BandSchema } from '../catalog/availability.ts'
import { invoiceItemMembers } from '../orders/invoice.ts'
import { OrderDetailLine, orderItemMembers, ShipmentSchema } from '../orders/order.ts'
import { Day, Nullable, Timestamp } from '../schema-parts.ts'
import type { EventKind, PING_EVENT_KIND } from './event-types.ts'

const Text = Nullable(Type.String())
const customer_id = Type.String({ description: 'The customer in the back office' })

const order = { ...orderItemMembers, lines: Type.Array(OrderDetailLine), customer_id }
const OrderData = Type.Object(order, { $id: 'OrderEventData' })
const ShippedOrderData = Type.Object(
  { ...order, shipments: Type.Array(ShipmentSchema) },
  { $id: 'ShippedOrderEventData' },
)
const CancelledOrderData = Type.Object({ ...order, cancel_reason: Text }, { $id: 'CancelledOrderEventData' })
const RejectedOrderData = Type.Object({ ...order, reject_reason: Text }, { $id: 'RejectedOrderEventData' })

const InvoiceData = Type.Object({ ...invoiceItemMembers, customer_id }, { $id: 'InvoiceEventData' })

const ProductUpdatedData = Type.Object(
  {
    sku: Type.String(),
    name: Type.String(),
    slug: Type.String(),
    active: Type.Boolean(),
    updated_at: Timestamp,
    changed: Type.Array(Type.Enum(['details', 'price'], { $id: 'ProductChange' }), {
      description:
        'Includes the changes of earlier events that this event replaced before every endpoint had received them',
    }),
  },
  { $id: 'ProductUpdatedEventData' },
)
const ProductDeactivatedData = Type.Object(
  { sku: Type.String(), updated_at: Timestamp },
  { $id: 'ProductDeactivatedEventData' },
)
const StockChangedData = Type.Object(
  { sku: Type.String(), band: BandSchema, previous_band: BandSchema, eta: Nullable(Day) },
  { $id: 'StockChangedEventData', description: 'Sent when the band changes; never a stock count' },
)
const BackInStockData = Type.Object(
  {
    sku: Type.String(),
    band: BandSchema,
    customer_id: Type.String({ description: 'The customer who waited for the product' }),
    requested_at: Timestamp,
  },
  { $id: 'BackInStockEventData', description: 'Sent once for each request' },
)
const PingData = Type.Object({ subscription_id: Type.String() }, { $id: 'PingEventData' })

/** The `data` of each type of event. */
export const eventData: Readonly<Record<EventKind | typeof PING_EVENT_KIND, TObject>> = {
  'order.confirmed': OrderData,
  'order.partially_shipped': ShippedOrderData,
  'order.shipped': ShippedOrderData,
  'order.delivered': ShippedOrderData,
  'order.cancelled': CancelledOrderData,
  'order.rejected': RejectedOrderData,
  'invoice.issued': InvoiceData,
  'invoice.paid': InvoiceData,
  'invoice.overdue': InvoiceData,
  'invoice.voided': InvoiceData,
  'product.updated': ProductUpdatedData,
  'product.deactivated': ProductDeactivatedData,
  'product.back_in_stock': BackInStockData,
  'stock.changed': StockChangedData,
  'webhook.ping': PingData,
}
