import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { shape } from '../../../src/upstream/response-schema.ts'
import type { Node } from './category-table.ts'
import type { Rpc } from '../client/rpc.ts'
import { sold } from './search-domain.ts'
import { TrytonId } from '../client/tryton-values.ts'
import { kept } from '../client/shared-load.ts'

const Rows = shape(Type.Array(Type.Object({ id: TrytonId, categories: Type.Array(TrytonId) })))
/** Tryton counts no groups over RPC; past so many products, reading them all to count them would cost too much. */
const MAX_COUNTED = 2_000

export type CountIn = (node: number, below: Map<number, Node> | null) => number | null

/** How many products on sale a node holds: itself, or with all nodes below it when their table is given. `null` in a large catalog. */
export function counts(rpc: Rpc, now: () => number): (call: Call) => Promise<CountIn> {
  const load = async (call: Call) => {
    const params = [sold, 0, MAX_COUNTED + 1, null, ['categories']]
    const rows = await rpc(Rows, 'product.product.search_read', params, call)
    return rows.length > MAX_COUNTED ? () => null : counter(rows.map((row) => row.categories))
  }
  return kept(load, { maxAgeMs: 60_000, now })
}

function counter(products: readonly (readonly number[])[]): CountIn {
  return (node, below) => products.filter((categories) => categories.some((id) => isIn(id, node, below))).length
}

const isIn = (id: number, node: number, below: Map<number, Node> | null) =>
  id === node || (below?.get(id)?.ancestors.includes(node) ?? false)
