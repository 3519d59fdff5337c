import type { OrderLine as Line, Order, OrderDraft } from '../../ports/order.ts'
import { toMoney } from '../money.ts'
import { isForecourtOrderReference } from './is-forecourt-order-reference.ts'
import type { OrderCore, OrderDetailLine, OrderItem } from './order.ts'

/** An order as the shopper sees it: with the id of its checkout, and without a number until accounting has accepted it. */
export interface ShopperOrder extends Omit<Order, 'order_number' | 'reference'> {
  order_number: string | null
}

/** Maps an order of the accounting system. */
export function toShopperOrder({ reference, ...order }: Order): ShopperOrder {
  return { ...order, order_id: isForecourtOrderReference(reference) ? reference : order.order_id }
}

/** The part of a stored order that shoppers see. */
export interface VisibleOrderRecord {
  order_id: string
  status: 'PENDING' | 'CONFIRMED' | 'REJECTED' | 'CANCELLED'
  draft: OrderDraft
  /** The order as accounting last returned it. */
  placed: Order | null
  created_at: string
  updated_at: string
}

/** Maps a stored order: as accounting last returned it, or as it was placed. */
export function recordToShopperOrder(record: VisibleOrderRecord): ShopperOrder {
  if (record.placed) return toShopperOrder({ ...record.placed, reference: record.order_id })
  const { reference: order_id, channel: _, ...draft } = record.draft
  const { status, created_at, updated_at } = record
  const laterHistory = status === 'PENDING' ? [] : [{ status, at: updated_at }]
  return {
    ...draft,
    order_id,
    order_number: null,
    status,
    placed_at: created_at,
    updated_at,
    payment_status: status === 'PENDING' ? 'PENDING' : 'CANCELLED',
    shipments: [],
    invoiced: false,
    cancelled_at: null,
    cancel_reason: null,
    history: [{ status: 'PENDING', at: created_at }, ...laterHistory],
  }
}

/** A row of a list. Its members are listed one by one, so that no other data of the accounting system gets into the response. */
export function toOrderItem(order: ShopperOrder): OrderItem {
  const { order_id, order_number, status, payment_status, currency, po_number, placed_at, updated_at } = order
  return {
    order_id,
    order_number,
    status,
    payment_status,
    channel: 'ECOMMERCE',
    currency,
    total: toMoney(order.totals.total, currency),
    item_count: order.lines.length,
    po_number,
    placed_at,
    updated_at,
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
    shipment_id,
    carrier,
    tracking_number,
    tracking_url,
    shipped_at,
    lines: lines.map(({ sku, quantity }) => ({ sku, quantity: Number(quantity) })),
  }))
}
