import type { Order, OrderStatus } from '../../../src/ports/order.ts'
import { lastWrittenAtMs, latestEpochMs } from '../client/tryton-values.ts'
import type { OrderRecords } from './order-record-reader.ts'
import { parseCancellation } from './sale-outcome-text.ts'
import { toShipments } from './shipments.ts'

const toTimestamp = (ms: number) => new Date(ms).toISOString()

/** Returns when an order last changed. Shipping and paying do not always touch the sale itself. */
export function orderChangedAtMs({ sale, moves, invoices }: Pick<OrderRecords, 'sale' | 'moves' | 'invoices'>): number {
  return Math.max(...[sale, ...moves, ...invoices].map((row) => lastWrittenAtMs(row)))
}

/** Returns the status of a sale. Tryton marks goods as done when they are shipped, and never learns of their arrival. */
export function toOrderStatus({ sale, moves }: Pick<OrderRecords, 'sale' | 'moves'>): OrderStatus {
  if (sale.state === 'cancelled') return 'CANCELLED'
  // A marked sale that has not ended is still being cancelled. If it were reported as cancelled, nobody would finish that.
  const isMarkedCancelled = parseCancellation(sale.description) !== null
  if (sale.state === 'draft' || sale.state === 'quotation') return isMarkedCancelled ? 'CONFIRMED' : 'PENDING'
  const sentMoves = moves.filter(({ state }) => state === 'done')
  if (sentMoves.length > 0) return sale.shipment_state === 'sent' ? 'SHIPPED' : 'PARTIALLY_SHIPPED'
  // A sale in progress ends as done when all of its moves are cancelled, never as cancelled.
  const areAllCancelled = moves.every(({ state }) => state === 'cancelled')
  if (areAllCancelled && (isMarkedCancelled ? sale.state === 'done' : moves.length > 0)) return 'CANCELLED'
  return moves.length === 0 && sale.state === 'done' ? 'DELIVERED' : 'CONFIRMED'
}

/** Returns the history of an order. Tryton stores no times of states: an order is confirmed in the call that creates it. */
export function toOrderHistory(records: OrderRecords): Pick<Order, 'history' | 'cancelled_at' | 'cancel_reason'> {
  const { sale } = records
  const status = toOrderStatus(records)
  const placedAt = toTimestamp(latestEpochMs(sale.create_date))
  const cancellation = parseCancellation(sale.description)
  const cancelled_at = status === 'CANCELLED' ? (cancellation?.at ?? toTimestamp(lastWrittenAtMs(sale))) : null
  const history: Order['history'] = [{ status: 'PENDING', at: placedAt }]
  if (status !== 'PENDING') history.push({ status: 'CONFIRMED', at: placedAt })
  const shippedTimes = toShipments(records)
    .map(({ shipped_at }) => shipped_at)
    .sort()
  if (status === 'PARTIALLY_SHIPPED' || (status === 'SHIPPED' && shippedTimes.length > 1))
    history.push({ status: 'PARTIALLY_SHIPPED', at: shippedTimes[0]! })
  if (status === 'SHIPPED') history.push({ status, at: shippedTimes.at(-1)! })
  if (cancelled_at !== null) history.push({ status: 'CANCELLED', at: cancelled_at })
  return { history, cancelled_at, cancel_reason: cancelled_at === null ? null : (cancellation?.reason ?? null) }
}
