import type { Order, OrderStatus, Shipment } from '../../../src/ports/order.ts'
import { formatDecimal } from '../../amount-format.ts'
import { lastWrittenAtMs, latestEpochMs } from '../client/tryton-values.ts'
import type { OrderRecords, StockMoveRow } from './order-records.ts'
import { parseCancellation } from './sale-description.ts'

const at = (ms: number) => new Date(ms).toISOString()

/** When anything of it changed: sending goods and paying do not always touch the sale itself. */
export function orderChangedAtMs({ sale, moves, invoices }: Pick<OrderRecords, 'sale' | 'moves' | 'invoices'>): number {
  return Math.max(...[sale, ...moves, ...invoices].map((row) => lastWrittenAtMs(row)))
}

/** Tryton calls goods done when they leave the house; that they arrived, it never learns. */
export function toOrderStatus({ sale, moves }: Pick<OrderRecords, 'sale' | 'moves'>): OrderStatus {
  if (sale.state === 'cancelled') return 'CANCELLED'
  // One that is marked and has not ended is on its way there: told as cancelled, nobody would come to finish it.
  const marked = parseCancellation(sale.description) !== null
  if (sale.state === 'draft' || sale.state === 'quotation') return marked ? 'CONFIRMED' : 'PENDING'
  const left = moves.filter(({ state }) => state === 'done')
  if (left.length > 0) return sale.shipment_state === 'sent' ? 'SHIPPED' : 'PARTIALLY_SHIPPED'
  // A sale that is under way ends as done when all of it is called off, never as cancelled.
  const off = moves.every(({ state }) => state === 'cancelled')
  if (off && (marked ? sale.state === 'done' : moves.length > 0)) return 'CANCELLED'
  return moves.length === 0 && sale.state === 'done' ? 'DELIVERED' : 'CONFIRMED'
}

export function toShipments({ moves }: Pick<OrderRecords, 'moves'>): Shipment[] {
  const left = moves.filter(({ state, quantity }) => state === 'done' && quantity > 0)
  return [...Map.groupBy(left, ({ shipment, id }) => shipment ?? `move,${id}`)].map(([shipment, own]) => ({
    shipment_id: shipment.split(',').at(-1)!,
    ...{ carrier: null, tracking_number: null, tracking_url: null },
    // The first time: moves that are done are written again by their invoices.
    shipped_at: at(Math.min(...own.map((move) => lastWrittenAtMs(move)))),
    lines: linesOf(own),
  }))
}

function linesOf(moves: readonly StockMoveRow[]): Shipment['lines'] {
  const bySku = Map.groupBy(moves, (move) => move['product.']?.code ?? '')
  return [...bySku].map(([sku, own]) => ({
    sku,
    quantity: formatDecimal(own.reduce((sum, { quantity }) => sum + quantity, 0)),
  }))
}

/** Tryton keeps no times of states: an order is confirmed in the call that makes it. */
export function toOrderHistory(records: OrderRecords): Pick<Order, 'history' | 'cancelled_at' | 'cancel_reason'> {
  const { sale } = records
  const status = toOrderStatus(records)
  const placed = at(latestEpochMs(sale.create_date))
  const mark = parseCancellation(sale.description)
  const cancelled_at = status === 'CANCELLED' ? (mark?.at ?? at(lastWrittenAtMs(sale))) : null
  const history: Order['history'] = [{ status: 'PENDING', at: placed }]
  if (status !== 'PENDING') history.push({ status: 'CONFIRMED', at: placed })
  const sent = toShipments(records)
    .map(({ shipped_at }) => shipped_at)
    .sort()
  if (status === 'PARTIALLY_SHIPPED' || (status === 'SHIPPED' && sent.length > 1))
    history.push({ status: 'PARTIALLY_SHIPPED', at: sent[0]! })
  if (status === 'SHIPPED') history.push({ status, at: sent.at(-1)! })
  if (cancelled_at !== null) history.push({ status: 'CANCELLED', at: cancelled_at })
  return { history, cancelled_at, cancel_reason: cancelled_at === null ? null : (mark?.reason ?? null) }
}
