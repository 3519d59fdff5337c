import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import type { Rpc } from '../client/rpc.ts'
import { TrytonId } from '../client/tryton-values.ts'
import type { CategoryNode } from './category-and-tag-table.ts'
import { onSaleDomain } from './search-domain.ts'

const Rows = responseSchema(Type.Array(Type.Object({ id: TrytonId, categories: Type.Array(TrytonId) })))
/** Tryton cannot count by group over RPC. Beyond this many products, a read of all of them would cost too much. */
const MAX_COUNTED = 2_000

export type CategoryCounter = (node: number, descendants: Map<number, CategoryNode> | null) => number | null

/**
 * Returns a function that counts the products on sale of a node, or of a node and its descendants when their table is
 * given. It returns `null` in a large catalog.
 */
export function createCategoryCountReader(rpc: Rpc, nowMs: () => number): (call: Call) => Promise<CategoryCounter> {
  const load = async (call: Call) => {
    const params = [onSaleDomain, 0, MAX_COUNTED + 1, null, ['categories']]
    const rows = await rpc(Rows, 'product.product.search_read', params, call)
    return rows.length > MAX_COUNTED ? () => null : createCounter(rows.map((row) => row.categories))
  }
  return createCachedTableLoader(load, { maxAgeMs: 60_000, now: nowMs })
}

function createCounter(products: readonly (readonly number[])[]): CategoryCounter {
  return (node, descendants) =>
    products.filter((categories) => categories.some((id) => isIn(id, node, descendants))).length
}

const isIn = (id: number, node: number, descendants: Map<number, CategoryNode> | null) =>
  id === node || (descendants?.get(id)?.ancestors.includes(node) ?? false)
