import type { DatabaseSync } from 'node:sqlite'
import type { Columns } from './columns.ts'
import { toIdMap } from './id-set.ts'
import type { SearchRequest } from './search-request.ts'
import type { WordIndex } from './word-index.ts'
import { toVehicleWord } from './words.ts'

/** Returns a function that restricts the matches of a text to SKUs and to a vehicle. `null`: all products. */
export function prepareCandidates(database: DatabaseSync, words: WordIndex) {
  const idsOfSkus = database.prepare('SELECT id FROM products WHERE sku IN (SELECT value FROM json_each(?))')
  return ({ skus, vehicleId }: SearchRequest, found: Uint32Array | null, columns: Columns): Uint32Array | null => {
    let candidates = found
    const narrow = (map: Uint8Array) => {
      candidates = (candidates ?? columns.allActive()).filter((id) => map[id] === 1)
    }
    if (skus) {
      const rows = idsOfSkus.all(JSON.stringify(skus)) as { id: number }[]
      const ids = Uint32Array.from(rows, ({ id }) => id).sort()
      if (candidates) narrow(toIdMap(ids, columns.size))
      else candidates = ids
    }
    if (vehicleId !== undefined) {
      const map = columns.universal.slice()
      for (const id of words.findAll([toVehicleWord(vehicleId)])) map[id] = 1
      narrow(map)
    }
    return candidates
  }
}
