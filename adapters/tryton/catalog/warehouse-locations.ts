import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import type { Rpc, RpcContext } from '../client/rpc.ts'
import { TrytonId } from '../client/tryton-values.ts'
import type { TrytonSettings } from '../settings.ts'

const Row = Type.Object({
  id: TrytonId,
  name: Type.String(),
  code: Type.Union([Type.String(), Type.Null()]),
  storage_location: TrytonId,
  input_location: TrytonId,
})
const Rows = responseSchema(Type.Array(Row))
/** Each costs a call. */
const MAX_WAREHOUSES = 20

/** The ids of the locations in which stock is counted. */
export interface WarehouseLocations {
  warehouseIds: number[]
  storageIds: number[]
  inputIds: number[]
  /** Each warehouse alone, where the settings ask for branches and there are several. */
  branches?: { branch_id: string; name: string; locations: Omit<WarehouseLocations, 'branches'> }[]
}

/**
 * The context that makes `quantity` the free quantity: on hand less assigned, in the storage zones. An order that is
 * assigned but not yet picked moves from storage to output, so a count over the whole warehouse would still offer its
 * goods.
 */
export const freeQuantityContext = ({ warehouseIds: ids }: WarehouseLocations): RpcContext => ({
  locations: ids,
  with_childs: true,
  stock_assign: true,
  stock_skip_warehouse: true,
})

/** Returns a function that reads the warehouse of the settings, or all of them. */
export function createWarehouseReader(
  settings: TrytonSettings,
  rpc: Rpc,
  nowMs: () => number,
): (call: Call) => Promise<WarehouseLocations> {
  const load = async (call: Call) => {
    const fields = ['name', 'code', 'storage_location', 'input_location']
    const params = [[['type', '=', 'warehouse']], 0, null, [['id', 'ASC']], fields]
    const rows = await rpc(Rows, 'stock.location.search_read', params, call)
    const setting = settings.warehouse
    const matching = rows.filter((row) => setting === undefined || row.code === setting || row.name === setting)
    // Tryton counts 0 in an unknown location, and a storefront must not show that as out of stock.
    if (matching.length === 0)
      throw new UpstreamError('rejected', `this account cannot read any warehouse ${setting ?? ''}`)
    const isSplit = settings.branches === true && matching.length > 1
    return {
      ...toLocations(matching),
      branches: (isSplit ? matching.slice(0, MAX_WAREHOUSES) : []).map((row) => ({
        branch_id: row.code || String(row.id),
        name: row.name,
        locations: toLocations([row]),
      })),
    }
  }
  return createCachedTableLoader(load, { maxAgeMs: 60_000, now: nowMs })
}

const toLocations = (rows: Static<typeof Row>[]) => ({
  warehouseIds: rows.map((row) => row.id),
  storageIds: rows.map((row) => row.storage_location),
  inputIds: rows.map((row) => row.input_location),
})
