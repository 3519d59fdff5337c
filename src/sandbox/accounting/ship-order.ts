import { HttpError } from '../http/http-error.ts'
import { ExactDecimal, sumAmounts } from '../money.ts'
import { withOrderStatus } from './change-order-status.ts'
import type { StoredOrder } from './order-store.ts'

interface ShippedLine {
  sku: string
  quantity: string
}

export interface ShipmentRequest {
  /** Default: everything that is not shipped yet; the same for the quantity of a SKU. */
  lines?: { sku: string; quantity?: string }[]
  delivered?: boolean
}

/** Returns the order after a shipment; with `delivered`, after its delivery too. */
export function toShippedOrder(
  order: StoredOrder,
  { lines, delivered = false }: ShipmentRequest,
  at: string,
): StoredOrder {
  if (['CANCELLED', 'REJECTED', 'DELIVERED'].includes(order.status)) {
    const reason = 'only a PENDING, CONFIRMED or PARTIALLY_SHIPPED order can be shipped'
    throw new HttpError(409, 'not_shippable', `${order.order_id} is ${order.status}: ${reason}`)
  }
  const open = openLines(order)
  if (open.length === 0 && !delivered)
    throw new HttpError(409, 'not_shippable', `${order.order_id} is already shipped completely`)
  const shippedLines = lines ? lines.map((line) => takeLine(open, line)) : open
  const number = order.shipments.length + 1
  const trackingNumber = `IP${order.order_number.replace('-', '')}${number}`
  const shipment = {
    shipment_id: `${order.order_id}-S${number}`,
    carrier: 'Island Parcel',
    tracking_number: trackingNumber,
    tracking_url: `https://track.example/${trackingNumber}`,
    shipped_at: at,
    lines: shippedLines,
  }
  // Only a confirmed order can be shipped.
  const confirmed = order.status === 'PENDING' ? withOrderStatus(order, 'CONFIRMED', at) : order
  const next = shippedLines.length > 0 ? { ...confirmed, shipments: [...order.shipments, shipment] } : confirmed
  const isComplete = openLines(next).length === 0
  const shipped = withOrderStatus(next, isComplete ? 'SHIPPED' : 'PARTIALLY_SHIPPED', at)
  return isComplete && delivered ? withOrderStatus(shipped, 'DELIVERED', at) : shipped
}

/** The line to ship. Throws HttpError when less than that is open. */
function takeLine(open: readonly ShippedLine[], line: { sku: string; quantity?: string }): ShippedLine {
  const openQuantity = open.find(({ sku }) => sku === line.sku)?.quantity ?? '0'
  const quantity = line.quantity ?? openQuantity
  if (new ExactDecimal(quantity).isZero() || new ExactDecimal(quantity).gt(openQuantity))
    throw new HttpError(409, 'not_open', `only ${openQuantity} of ${line.sku} in this order can still be shipped`)
  return { sku: line.sku, quantity }
}

/** The quantity of each SKU that is not shipped yet. */
function openLines({ lines, shipments }: StoredOrder): ShippedLine[] {
  const shippedLines = shipments.flatMap((shipment) => shipment.lines)
  return [...Map.groupBy(lines, ({ sku }) => sku)].flatMap(([sku, ordered]) => {
    const shipped = shippedLines.filter((line) => line.sku === sku)
    const open = sumAmounts(ordered.map(({ quantity }) => quantity)).minus(
      sumAmounts(shipped.map(({ quantity }) => quantity)),
    )
    return open.gt(0) ? [{ sku, quantity: open.toFixed() }] : []
  })
}
