import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { createCachedLoader } from '../client/shared-load.ts'
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

/** Ids of the locations that stock is counted in. */
export interface WarehouseLocations {
  ids: number[]
  storages: number[]
  inputs: number[]
}

/** The warehouse of the settings, or all of them. */
export function createWarehouseReader(
  settings: TrytonSettings,
  rpc: Rpc,
  now: () => number,
): (call: Call) => Promise<WarehouseLocations> {
  const load = async (call: Call) => {
    const fields = ['name', 'code', 'storage_location', 'input_location']
    const params = [[['type', '=', 'warehouse']], 0, null, [['id', 'ASC']], fields]
    const rows = await rpc(Rows, 'stock.location.search_read', params, call)
    const wanted = settings.warehouse
    const sold = rows.filter((row) => wanted === undefined || row.code === wanted || row.name === wanted)
    // Tryton counts nothing in an unknown location, and a storefront must not read that as "out of stock".
    if (sold.length === 0) throw new UpstreamError('rejected', `no warehouse ${wanted ?? ''} is open to this account`)
    const inputs = sold.map((row) => row.input_location)
    return { ids: sold.map((row) => row.id), storages: sold.map((row) => row.storage_location), inputs }
  }
  return createCachedLoader(load, { maxAgeMs: 60_000, now })
}
