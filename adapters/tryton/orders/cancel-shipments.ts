import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { TrytonId } from '../client/tryton-values.ts'
import type { OrderRecords } from './order-record-reader.ts'

const AnyResult = responseSchema(Type.Unknown())
const ShipmentRow = Type.Object({ id: TrytonId, state: Type.String(), _timestamp: Type.String() })
const ShipmentRows = responseSchema(Type.Array(ShipmentRow))
export type ShipmentRow = Static<typeof ShipmentRow>

/** Returns the customer shipments with goods that are neither sent nor cancelled, as `stock.shipment.out,5`. */
export function findOpenShipments(moves: OrderRecords['moves']): string[] {
  const openMoves = moves.filter(({ state }) => state !== 'cancelled' && state !== 'done')
  const openShipments = openMoves.flatMap(({ shipment }) =>
    shipment?.startsWith('stock.shipment.out,') ? [shipment] : [],
  )
  return [...new Set(openShipments)]
}

/** Reads the shipments that were open when the moves were read. */
export async function readOpenShipments(
  rpc: Rpc,
  { moves }: Pick<OrderRecords, 'moves'>,
  call: Call,
): Promise<ShipmentRow[]> {
  const ids = findOpenShipments(moves).map((reference) => Number(reference.split(',')[1]))
  return ids.length === 0 ? [] : readShipments(rpc, ids, call)
}

/** Returns true when the goods of a shipment have left. Newer series have a state for this in which the moves are still open. */
export const isOnItsWay = ({ state }: ShipmentRow) => state === 'shipped'

/**
 * Cancels shipments, unless one was sent since it was read: then it rejects, and the order must be read again. Old series
 * ignore the step for a sent shipment. Newer ones would take the shipment back, so it must be unchanged.
 */
export async function cancelShipments(rpc: Rpc, shipments: readonly ShipmentRow[], call: Call): Promise<void> {
  const open = shipments.filter(({ state }) => state !== 'cancelled')
  if (open.length === 0) return
  const ids = open.map(({ id }) => id)
  if (!open.some(isSent)) {
    const unchanged = Object.fromEntries(open.map(({ id, _timestamp }) => [`stock.shipment.out,${id}`, _timestamp]))
    await rpc(AnyResult, 'stock.shipment.out.cancel', [ids], call, { _timestamp: unchanged, language: 'en' })
    if ((await readShipments(rpc, ids, call)).every(({ state }) => state === 'cancelled')) return
  }
  throw new UpstreamError('error', 'a shipment was sent while its order was being cancelled', { retryable: true })
}

const isSent = (shipment: ShipmentRow) => shipment.state === 'done' || isOnItsWay(shipment)

function readShipments(rpc: Rpc, ids: readonly number[], call: Call): Promise<ShipmentRow[]> {
  const params = [[['id', 'in', ids]], 0, null, [['id', 'ASC']], ['state', '_timestamp']]
  return rpc(ShipmentRows, 'stock.shipment.out.search_read', params, call)
}
