import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCachedLoader } from '../../cached-table-loader.ts'
import type { Rpc } from '../client/rpc.ts'
import { TrytonId } from '../client/tryton-values.ts'
import type { TrytonSettings } from '../settings.ts'

const Rows = responseSchema(
  Type.Array(
    Type.Object({
      id: TrytonId,
      name: Type.String(),
      code: Type.Union([Type.String(), Type.Null()]),
      storage_location: TrytonId,
      input_location: TrytonId,
    }),
  ),
)

/** The ids of the locations in which stock is counted. */
export interface WarehouseLocations {
  warehouseIds: number[]
  storageIds: number[]
  inputIds: number[]
}

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
    const inputIds = matching.map((row) => row.input_location)
    return {
      warehouseIds: matching.map((row) => row.id),
      storageIds: matching.map((row) => row.storage_location),
      inputIds,
    }
  }
  return createCachedLoader(load, { maxAgeMs: 60_000, now: nowMs })
}
