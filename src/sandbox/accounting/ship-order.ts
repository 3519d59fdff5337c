import { Exact, sum } from '../money.ts'
import type { StoredOrder } from './order-store.ts'
import { stepped } from './order-handlers.ts'
import { Refusal } from '../http/http-error.ts'

interface ShippedLine {
  sku: string
  quantity: string
}

export interface ShipmentChange {
  /** Left out: all that is not shipped yet; of a SKU, when its quantity is left out. */
  lines?: { sku: string; quantity?: string }[]
  delivered?: boolean
}

/** The order after a parcel left; `delivered`: and all of it arrived. */
export function shipped(order: StoredOrder, { lines, delivered = false }: ShipmentChange, at: string): StoredOrder {
  if (['CANCELLED', 'REJECTED', 'DELIVERED'].includes(order.status)) {
    const why = 'only one that is PENDING, CONFIRMED or PARTIALLY_SHIPPED can be shipped'
    throw new Refusal(409, 'not_shippable', `${order.order_id} is ${order.status}: ${why}`)
  }
  const open = openLines(order)
  if (open.length === 0 && !delivered)
    throw new Refusal(409, 'not_shippable', `all of ${order.order_id} has left already`)
  const parcel = lines ? lines.map((line) => taken(open, line)) : open
  const n = order.shipments.length + 1
  const shipment = {
    shipment_id: `${order.order_id}-S${n}`,
    carrier: 'Island Parcel',
    tracking_number: `IP${order.order_number}${n}`,
    tracking_url: `https://track.example/IP${order.order_number}${n}`,
    shipped_at: at,
    lines: parcel,
  }
  // Nothing leaves that nobody took on.
  const sure = order.status === 'PENDING' ? stepped(order, 'CONFIRMED', at) : order
  const next = parcel.length > 0 ? { ...sure, shipments: [...order.shipments, shipment] } : sure
  const all = openLines(next).length === 0
  const left = stepped(next, all ? 'SHIPPED' : 'PARTIALLY_SHIPPED', at)
  return all && delivered ? stepped(left, 'DELIVERED', at) : left
}

/** The line as it is packed, or a Refusal when less than that is left. */
function taken(open: readonly ShippedLine[], line: { sku: string; quantity?: string }): ShippedLine {
  const left = open.find(({ sku }) => sku === line.sku)?.quantity ?? '0'
  const quantity = line.quantity ?? left
  if (new Exact(quantity).isZero() || new Exact(quantity).gt(left))
    throw new Refusal(409, 'not_open', `${left} of ${line.sku} in this order are still to be shipped`)
  return { sku: line.sku, quantity }
}

/** What of each SKU is not shipped yet. */
function openLines({ lines, shipments }: StoredOrder): ShippedLine[] {
  const parcels = shipments.flatMap((shipment) => shipment.lines)
  return [...Map.groupBy(lines, ({ sku }) => sku)].flatMap(([sku, ordered]) => {
    const gone = parcels.filter((line) => line.sku === sku)
    const open = sum(ordered.map(({ quantity }) => quantity)).minus(sum(gone.map(({ quantity }) => quantity)))
    return open.gt(0) ? [{ sku, quantity: open.toFixed() }] : []
  })
}
