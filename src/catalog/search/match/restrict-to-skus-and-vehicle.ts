import type { DatabaseSync } from 'node:sqlite'
import type { Columns } from '../columns/product-columns.ts'
import { intersect, unite } from '../id-set.ts'
import type { SearchRequest } from '../search-request.ts'
import { toVehicleWord } from '../words/tokenizer.ts'
import type { WordIndex } from '../words/word-index.ts'

/** Returns a function that restricts the matches of a text to SKUs and to a vehicle. `null`: all products. */
export function prepareSkuAndVehicleRestriction(database: DatabaseSync, words: WordIndex) {
  const idsOfSkus = database.prepare('SELECT id FROM products WHERE sku IN (SELECT value FROM json_each(?))')
  const isVehicle = database.prepare('SELECT 1 FROM vehicles WHERE vehicle_id = ?')
  return ({ skus, vehicleId }: SearchRequest, found: Uint32Array | null, columns: Columns): Uint32Array | null => {
    const sets = found ? [found] : []
    if (skus) {
      const rows = idsOfSkus.all(JSON.stringify(skus)) as { id: number }[]
      sets.push(Uint32Array.from(rows, ({ id }) => id).sort())
    }
    if (vehicleId !== undefined) {
      // Universal parts fit every vehicle that exists.
      const universal = isVehicle.get(vehicleId) ? [columns.allUniversal()] : []
      sets.push(unite([words.findAll([toVehicleWord(vehicleId)]), ...universal]))
    }
    return sets.length === 0 ? null : intersect(sets)
  }
}
