import type { Shipment } from '../../../src/ports/order.ts'
import { formatDecimal } from '../../decimal-format.ts'
import { toIsoTime, toText } from '../client/odoo-values.ts'
import type { PickingRow, SaleRow } from './sale-schemas.ts'

const isShipped = ({ state, picking_type_code, date_done }: PickingRow) =>
  state === 'done' && picking_type_code === 'outgoing' && date_done !== false

/** Returns the deliveries that left, the first one first. */
export const toShipments = ({ picking_ids }: SaleRow): Shipment[] =>
  picking_ids
    .filter(isShipped)
    .sort((a, b) => a.id - b.id)
    .map(toShipment)
    .sort((a, b) => (a.shipped_at < b.shipped_at ? -1 : a.shipped_at > b.shipped_at ? 1 : 0))

function toShipment(picking: PickingRow): Shipment {
  return {
    shipment_id: picking.name,
    carrier: picking.carrier_id ? picking.carrier_id.name : null,
    tracking_number: toText(picking.carrier_tracking_ref),
    tracking_url: toText(picking.carrier_tracking_url),
    shipped_at: toIsoTime(picking.date_done || picking.write_date),
    lines: picking.move_ids
      .filter(({ state }) => state === 'done')
      .map(({ product_id, quantity }) => ({
        sku: (product_id && toText(product_id.default_code)) || '',
        quantity: formatDecimal(quantity),
      })),
  }
}
