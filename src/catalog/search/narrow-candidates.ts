import type { DatabaseSync } from 'node:sqlite'
import type { Columns } from './columns.ts'
import { parseIds, toIdMap } from './id-set.ts'
import type { SearchRequest } from './search-request.ts'

/** Returns a function that restricts the matches of a text to SKUs and to a vehicle. `null`: all products. */
export function prepareCandidates(database: DatabaseSync) {
  const idsOfSkus = database.prepare('SELECT id FROM products WHERE sku IN (SELECT value FROM json_each(?))')
  const idsOfVehicle = database.prepare(
    'SELECT count(*) AS count, group_concat(id) AS ids FROM fits WHERE vehicle_id = ?',
  )
  const isVehicle = database.prepare('SELECT 1 FROM vehicles WHERE vehicle_id = ?')
  return ({ skus, vehicleId }: SearchRequest, found: Uint32Array | null, columns: Columns): Uint32Array | null => {
    let candidates = found
    const narrow = (map: Uint8Array) => {
      candidates = (candidates ?? Uint32Array.from({ length: columns.size }, (_, id) => id)).filter(
        (id) => map[id] === 1,
      )
    }
    if (skus) {
      const rows = idsOfSkus.all(JSON.stringify(skus)) as { id: number }[]
      const ids = Uint32Array.from(rows, ({ id }) => id)
      if (candidates) narrow(toIdMap(ids, columns.size))
      else candidates = ids
    }
    if (vehicleId !== undefined) {
      const { count, ids } = idsOfVehicle.get(vehicleId) as { count: number; ids: string | null }
      // Universal parts fit every vehicle that exists.
      const map = isVehicle.get(vehicleId) ? columns.universal.slice() : new Uint8Array(columns.size)
      for (const id of parseIds(ids, count)) map[id] = 1
      narrow(map)
    }
    return candidates
  }
}
