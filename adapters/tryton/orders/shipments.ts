import type { Shipment } from '../../../src/ports/order.ts'
import { formatDecimal } from '../../decimal-format.ts'
import { lastWrittenAtMs } from '../client/tryton-values.ts'
import type { OrderRecords, StockMoveRow } from './order-record-reader.ts'

export function toShipments({ moves }: Pick<OrderRecords, 'moves'>): Shipment[] {
  const sentMoves = moves.filter(({ state, quantity }) => state === 'done' && quantity > 0)
  return [...Map.groupBy(sentMoves, ({ shipment, id }) => shipment ?? `move,${id}`)].map(
    ([shipment, shipmentMoves]) => ({
      shipment_id: shipment.split(',').at(-1)!,
      carrier: null,
      tracking_number: null,
      tracking_url: null,
      // The earliest time, because an invoice writes moves again after they are done.
      shipped_at: new Date(Math.min(...shipmentMoves.map((move) => lastWrittenAtMs(move)))).toISOString(),
      lines: toShipmentLines(shipmentMoves),
    }),
  )
}

function toShipmentLines(moves: readonly StockMoveRow[]): Shipment['lines'] {
  const bySku = Map.groupBy(moves, (move) => move['product.']?.code ?? '')
  return [...bySku].map(([sku, shipmentMoves]) => ({
    sku,
    quantity: formatDecimal(shipmentMoves.reduce((sum, { quantity }) => sum + quantity, 0)),
  }))
}
