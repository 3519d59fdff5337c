import { Exact, sum } from './money.ts'
import type { StoredOrder } from './order-book.ts'
import { stepped } from './orders.ts'
import { Refusal } from './refusal.ts'

export interface ShipmentChange {
  /** Left out: all that is not shipped yet. */
  lines?: { sku: string; quantity: string }[]
  delivered?: boolean
}

/** The order after a parcel left; `delivered`: and all of it arrived. */
export function shipped(order: StoredOrder, { lines, delivered = false }: ShipmentChange, at: string): StoredOrder {
  if (order.status === 'CANCELLED' || order.status === 'REJECTED')
    throw new Refusal(409, 'not_shippable', `this order is ${order.status}`)
  const parcel = (lines ?? openLines(order)).filter(({ quantity }) => new Exact(quantity).gt(0))
  const n = order.shipments.length + 1
  const shipment = {
    shipment_id: `${order.order_id}-S${n}`,
    carrier: 'Island Parcel',
    tracking_number: `IP${order.order_number}${n}`,
    tracking_url: `https://track.example/IP${order.order_number}${n}`,
    shipped_at: at,
    lines: parcel,
  }
  const next = parcel.length > 0 ? { ...order, shipments: [...order.shipments, shipment] } : order
  const all = openLines(next).length === 0
  const left = stepped(next, all ? 'SHIPPED' : 'PARTIALLY_SHIPPED', at)
  return all && delivered ? stepped(left, 'DELIVERED', at) : left
}

/** What of each SKU is not shipped yet. */
function openLines({ lines, shipments }: StoredOrder): { sku: string; quantity: string }[] {
  const parcels = shipments.flatMap((shipment) => shipment.lines)
  return [...Map.groupBy(lines, ({ sku }) => sku)].flatMap(([sku, ordered]) => {
    const gone = parcels.filter((line) => line.sku === sku)
    const open = sum(ordered.map(({ quantity }) => quantity)).minus(sum(gone.map(({ quantity }) => quantity)))
    return open.gt(0) ? [{ sku, quantity: open.toFixed() }] : []
  })
}
