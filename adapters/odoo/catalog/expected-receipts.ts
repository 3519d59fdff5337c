import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { Stock } from '../../../src/ports/inventory.ts'
import { dateInTimeZone } from '../../calendar-day.ts'
import { OdooDatetime, OdooId, toIsoTime } from '../client/odoo-values.ts'
import { foundShape, type Rpc } from '../client/rpc.ts'
import type { Warehouses } from './warehouse-reader.ts'

const Moves = foundShape(
  Type.Object({ id: OdooId, product_id: OdooId, product_qty: Type.Number(), date: OdooDatetime }),
)

export const OPEN_MOVE_STATES = ['waiting', 'confirmed', 'partially_available', 'assigned']

/** Returns the open receipts of products, by product. */
export async function readExpectedReceipts(
  rpc: Rpc,
  productIds: readonly number[],
  { stockLocationIds }: Warehouses,
  timeZone: string,
  call: Call,
): Promise<Map<number, Stock['expected']>> {
  const domain = [
    ['product_id', 'in', productIds],
    ['state', 'in', OPEN_MOVE_STATES],
    ['picking_code', '=', 'incoming'],
    ['location_dest_id', 'child_of', stockLocationIds],
  ]
  const specification = { product_id: {}, product_qty: {}, date: {} }
  const { records } = await rpc.search(Moves, 'stock.move', { domain, specification, order: 'date, id' }, call)
  const byProduct = Map.groupBy(records, ({ product_id }) => product_id)
  return new Map(
    [...byProduct].map(([id, moves]) => [
      id,
      moves.map(({ date, product_qty }) => ({
        date: dateInTimeZone(timeZone, new Date(toIsoTime(date))),
        quantity: product_qty,
      })),
    ]),
  )
}
