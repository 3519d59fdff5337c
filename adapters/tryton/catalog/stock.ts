import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { Stock } from '../../../src/ports/inventory.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { Rpc, RpcContext } from '../client/rpc.ts'
import { TrytonDate, TrytonId, toIsoDate } from '../client/tryton-values.ts'
import type { WarehouseLocations } from './warehouses.ts'

const Move = Type.Object({
  product: TrytonId,
  internal_quantity: Type.Number(),
  planned_date: Type.Union([TrytonDate, Type.Null()]),
})
const Moves = responseSchema(Type.Array(Move))
/** The nearest receipts decide; SKUs with more open ones than this, all together, lose the furthest. */
const MAX_MOVES = 1_000

/**
 * Makes `quantity` the free quantity: on hand less assigned, in the storage zones. An order that is assigned but not yet
 * picked moves from storage to output, so that a count over the whole warehouse would still offer its goods.
 */
export const freeQuantityContext = ({ ids }: WarehouseLocations): RpcContext => ({
  locations: ids,
  with_childs: true,
  stock_assign: true,
  stock_skip_warehouse: true,
})

/** When more of each product is expected, by its id. */
export interface ExpectedReceipts {
  of(product: number): Stock['expected']
  /** Whether none was left out. */
  whole: boolean
}

/** Open receipts of products: from suppliers and production, and what stands in the input zone to be put away. */
export async function readExpectedReceipts(
  rpc: Rpc,
  ofProducts: unknown[],
  places: WarehouseLocations,
  call: Call,
): Promise<ExpectedReceipts> {
  const arriving = [
    ['from_location.type', 'in', ['supplier', 'production']],
    ['to_location', 'child_of', places.ids, 'parent'],
  ]
  const received = [
    ['from_location', 'in', places.inputs],
    ['to_location', 'child_of', places.storages, 'parent'],
  ]
  const domain = [ofProducts, ['state', 'in', ['draft', 'assigned']], ['OR', arriving, received]]
  const order = [
    ['planned_date', 'ASC'],
    ['id', 'ASC'],
  ]
  const params = [domain, 0, MAX_MOVES, order, Object.keys(Move.properties)]
  const moves = await rpc(Moves, 'stock.move.search_read', params, call)
  const byProduct = Map.groupBy(moves, (move) => move.product)
  return {
    of: (product) => (byProduct.get(product) ?? []).flatMap(toReceipt),
    whole: moves.length < MAX_MOVES,
  }
}

/** A move without a date promises nothing. */
function toReceipt(move: Static<typeof Move>): Stock['expected'] {
  return move.planned_date === null ? [] : [{ date: toIsoDate(move.planned_date), quantity: move.internal_quantity }]
}
