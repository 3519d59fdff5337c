import type { DatabaseSync } from 'node:sqlite'
import { toIdMap } from '../id-set.ts'

/** The key by which products are sorted: the name in lower case and without accents. `name_key` is NULL where that is what SQLite makes. */
export const NAME_KEY = 'coalesce(name_key, lower(name))'

/** Below this share of the catalog, the names of the matches are sorted. Above it, the index of all names is read in order. */
const MAX_SORTED_SHARE = 0.02

/** Returns a function that sorts products by name and returns a page of their ids. */
export function prepareOrderByName(database: DatabaseSync) {
  // Limits are expressions: a bare variable makes SQLite prepare the statement again for each search.
  const sorted = database.prepare(
    `SELECT id FROM products WHERE id IN (SELECT value FROM json_each(?)) ORDER BY ${NAME_KEY}, id LIMIT ? + 0 OFFSET ? + 0`,
  )
  const walk = database.prepare(`SELECT id FROM products WHERE active = 1 ORDER BY ${NAME_KEY}, id`)
  walk.setReturnArrays(true)
  return (ids: Uint32Array, size: number, offset: number, limit: number): number[] => {
    if (offset >= ids.length) return []
    if (ids.length < size * MAX_SORTED_SHARE)
      return (sorted.all(JSON.stringify([...ids]), limit, offset) as { id: number }[]).map(({ id }) => id)
    const wanted = toIdMap(ids, size)
    const page: number[] = []
    let skipped = 0
    for (const row of walk.iterate() as Iterable<unknown>) {
      const [id] = row as [number]
      if (wanted[id] !== 1) continue
      if (skipped < offset) skipped += 1
      else if (page.push(id) === limit) break
    }
    return page
  }
}
