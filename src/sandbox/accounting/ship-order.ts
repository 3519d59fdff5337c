import { HttpError } from '../http/http-error.ts'
import { ExactDecimal, sumAmounts } from '../money.ts'
import { withOrderStatus } from './order-handlers.ts'
import type { StoredOrder } from './order-store.ts'

interface ShippedLine {
  sku: string
  quantity: string
}

export interface ShipmentRequest {
  /** Left out: all that is not shipped yet; of a SKU, when its quantity is left out. */
  lines?: { sku: string; quantity?: string }[]
  delivered?: boolean
}

/** The order after a parcel left; `delivered`: and all of it arrived. */
export function toShippedOrder(
  order: StoredOrder,
  { lines, delivered = false }: ShipmentRequest,
  at: string,
): StoredOrder {
  if (['CANCELLED', 'REJECTED', 'DELIVERED'].includes(order.status)) {
    const why = 'only one that is PENDING, CONFIRMED or PARTIALLY_SHIPPED can be shipped'
    throw new HttpError(409, 'not_shippable', `${order.order_id} is ${order.status}: ${why}`)
  }
  const open = openLines(order)
  if (open.length === 0 && !delivered)
    throw new HttpError(409, 'not_shippable', `all of ${order.order_id} has left already`)
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
  const sure = order.status === 'PENDING' ? withOrderStatus(order, 'CONFIRMED', at) : order
  const next = parcel.length > 0 ? { ...sure, shipments: [...order.shipments, shipment] } : sure
  const all = openLines(next).length === 0
  const left = withOrderStatus(next, all ? 'SHIPPED' : 'PARTIALLY_SHIPPED', at)
  return all && delivered ? withOrderStatus(left, 'DELIVERED', at) : left
}

/** The line as it is packed, or a Refusal when less than that is left. */
function taken(open: readonly ShippedLine[], line: { sku: string; quantity?: string }): ShippedLine {
  const left = open.find(({ sku }) => sku === line.sku)?.quantity ?? '0'
  const quantity = line.quantity ?? left
  if (new ExactDecimal(quantity).isZero() || new ExactDecimal(quantity).gt(left))
    throw new HttpError(409, 'not_open', `${left} of ${line.sku} in this order are still to be shipped`)
  return { sku: line.sku, quantity }
}

/** What of each SKU is not shipped yet. */
function openLines({ lines, shipments }: StoredOrder): ShippedLine[] {
  const parcels = shipments.flatMap((shipment) => shipment.lines)
  return [...Map.groupBy(lines, ({ sku }) => sku)].flatMap(([sku, ordered]) => {
    const gone = parcels.filter((line) => line.sku === sku)
    const open = sumAmounts(ordered.map(({ quantity }) => quantity)).minus(
      sumAmounts(gone.map(({ quantity }) => quantity)),
    )
    return open.gt(0) ? [{ sku, quantity: open.toFixed() }] : []
  })
}
