import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { createCachedLoader } from '../client/shared-load.ts'
import { TrytonId } from '../client/tryton-values.ts'
import type { CategoryNode } from './category-table.ts'
import { onSaleDomain } from './search-domain.ts'

const Rows = responseSchema(Type.Array(Type.Object({ id: TrytonId, categories: Type.Array(TrytonId) })))
/** Tryton counts no groups over RPC; past so many products, reading them all to count them would cost too much. */
const MAX_COUNTED = 2_000

export type CategoryCounter = (node: number, below: Map<number, CategoryNode> | null) => number | null

/** How many products on sale a node holds: itself, or with all nodes below it when their table is given. `null` in a large catalog. */
export function createCategoryCountReader(rpc: Rpc, now: () => number): (call: Call) => Promise<CategoryCounter> {
  const load = async (call: Call) => {
    const params = [onSaleDomain, 0, MAX_COUNTED + 1, null, ['categories']]
    const rows = await rpc(Rows, 'product.product.search_read', params, call)
    return rows.length > MAX_COUNTED ? () => null : counter(rows.map((row) => row.categories))
  }
  return createCachedLoader(load, { maxAgeMs: 60_000, now })
}

function counter(products: readonly (readonly number[])[]): CategoryCounter {
  return (node, below) => products.filter((categories) => categories.some((id) => isIn(id, node, below))).length
}

const isIn = (id: number, node: number, below: Map<number, CategoryNode> | null) =>
  id === node || (below?.get(id)?.ancestors.includes(node) ?? false)
