import type { OrderLine as Line, Order } from '../ports/order.ts'
import type { OrderRecord } from '../storage/commerce/orders.ts'
import { toMoney } from './common-schemas.ts'
import type { OrderCore, OrderDetailLine, OrderItem } from './order.ts'

/** An order as its shopper sees it: under the id that checkout gave it, and without a number until the ledger has taken it. */
export interface ShopperOrder extends Omit<Order, 'order_number' | 'reference'> {
  order_number: string | null
}

/** Whether it is a name that a checkout here gave: other programs give orders names too, which nobody is found by. */
export const isCheckoutReference = (reference: string | null): reference is string =>
  reference?.startsWith('ord_') ?? false

/** An order of the ledger's. */
export function toShopperOrder({ reference, ...order }: Order): ShopperOrder {
  return { ...order, order_id: isCheckoutReference(reference) ? reference : order.order_id }
}

/** A stored order: what the ledger last gave, or what it was asked for. */
export function recordToShopperOrder(record: OrderRecord): ShopperOrder {
  if (record.placed) return toShopperOrder({ ...record.placed, reference: record.order_id })
  const { reference: order_id, channel: _, ...draft } = record.draft
  const { status, created_at, updated_at } = record
  const passed = status === 'PENDING' ? [] : [{ status, at: updated_at }]
  return {
    ...draft,
    ...{ order_id, order_number: null, status, placed_at: created_at, updated_at },
    ...{ payment_status: status === 'PENDING' ? 'PENDING' : 'CANCELLED', shipments: [], invoiced: false },
    ...{ cancelled_at: null, cancel_reason: null },
    history: [{ status: 'PENDING', at: created_at }, ...passed],
  }
}

/** A row of a list. Members are named one by one: nothing else of a ledger's answer can come through. */
export function toOrderItem(order: ShopperOrder): OrderItem {
  const { order_id, order_number, status, payment_status, currency, po_number, placed_at, updated_at } = order
  return {
    ...{ order_id, order_number, status, payment_status, channel: 'ECOMMERCE', currency },
    total: toMoney(order.totals.total, currency),
    item_count: order.lines.length,
    ...{ po_number, placed_at, updated_at },
  }
}

export function toOrderLines({ lines, currency }: Pick<ShopperOrder, 'lines' | 'currency'>): OrderDetailLine[] {
  const money = (amount: string) => toMoney(amount, currency)
  return lines.map((line: Line) => ({
    sku: line.sku,
    name: line.name,
    quantity: Number(line.quantity),
    uom: line.uom,
    order_uom: line.order_uom,
    order_quantity: line.order_quantity === null ? null : Number(line.order_quantity),
    unit_price: money(line.unit_price),
    list_unit_price: line.list_unit_price === null ? null : money(line.list_unit_price),
    discount: money(line.discount),
    tax: { code: line.tax.code, rate: line.tax.rate, amount: money(line.tax.amount) },
    line_total: money(line.line_total),
  }))
}

export function toOrderShipments({ shipments }: Pick<ShopperOrder, 'shipments'>): OrderCore['shipments'] {
  return shipments.map(({ shipment_id, carrier, tracking_number, tracking_url, shipped_at, lines }) => ({
    ...{ shipment_id, carrier, tracking_number, tracking_url, shipped_at },
    lines: lines.map(({ sku, quantity }) => ({ sku, quantity: Number(quantity) })),
  }))
}
