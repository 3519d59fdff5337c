import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import type { Rpc } from '../client/rpc.ts'
import { nullable, TrytonId } from '../client/tryton-values.ts'

const Categories = responseSchema(Type.Array(Type.Object({ id: TrytonId, parent: nullable(TrytonId) })))

/** The parent of each category by its id; `null` for a root. */
export type CategoryParents = ReadonlyMap<number, number | null>

/** Every cart and page of a customer with contract prices needs all categories, and they seldom change: they are cached for a minute. */
export function createCategoryParentsReader(rpc: Rpc, nowMs: () => number): (call: Call) => Promise<CategoryParents> {
  const load = async (call: Call) => {
    const rows = await rpc(Categories, 'product.category.search_read', [[], 0, null, null, ['parent']], call)
    return new Map(rows.map((row) => [row.id, row.parent]))
  }
  return createCachedTableLoader(load, { maxAgeMs: 60_000, now: nowMs })
}

/** The ids of a category and of its ancestors, from the bottom up. */
export function categoryWithAncestors(id: number, parents: CategoryParents): number[] {
  const parent = parents.get(id)
  return parent ? [id, ...categoryWithAncestors(parent, parents)] : [id]
}
