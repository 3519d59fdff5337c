import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { Stock } from '../../../src/ports/inventory.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { TrytonDate, TrytonId, toIsoDate } from '../client/tryton-values.ts'
import type { WarehouseLocations } from './warehouse-locations.ts'

const Move = Type.Object({
  product: TrytonId,
  internal_quantity: Type.Number(),
  planned_date: Type.Union([TrytonDate, Type.Null()]),
})
const Moves = responseSchema(Type.Array(Move))
/** The nearest receipts matter most: when SKUs have more open receipts in total, the furthest are dropped. */
const MAX_MOVES = 1_000

/** The expected receipts of each product, by its id. */
export interface ExpectedReceipts {
  receiptsOf(product: number): Stock['expected']
  /** False when the limit cut off some. */
  isComplete: boolean
}

/** Reads open receipts of products: from suppliers and production, and from the input zone to storage. */
export async function readExpectedReceipts(
  rpc: Rpc,
  productDomain: unknown[],
  warehouses: WarehouseLocations,
  call: Call,
): Promise<ExpectedReceipts> {
  const arriving = [
    ['from_location.type', 'in', ['supplier', 'production']],
    ['to_location', 'child_of', warehouses.warehouseIds, 'parent'],
  ]
  const received = [
    ['from_location', 'in', warehouses.inputIds],
    ['to_location', 'child_of', warehouses.storageIds, 'parent'],
  ]
  const domain = [productDomain, ['state', 'in', ['draft', 'assigned']], ['OR', arriving, received]]
  const order = [
    ['planned_date', 'ASC'],
    ['id', 'ASC'],
  ]
  const params = [domain, 0, MAX_MOVES, order, Object.keys(Move.properties)]
  const moves = await rpc(Moves, 'stock.move.search_read', params, call)
  const byProduct = Map.groupBy(moves, (move) => move.product)
  return {
    receiptsOf: (product) => (byProduct.get(product) ?? []).flatMap(toReceipt),
    isComplete: moves.length < MAX_MOVES,
  }
}

/** A move without a date promises no receipt. */
function toReceipt(move: Static<typeof Move>): Stock['expected'] {
  return move.planned_date === null ? [] : [{ date: toIsoDate(move.planned_date), quantity: move.internal_quantity }]
}
