import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CategoryNode } from '../../contract/catalog/category-tree.ts'
import type { Category } from '../../ports/inventory.ts'

const MAX_DEPTH = 20
/** The maximum number of categories in a turn of the event loop. Nesting takes about a microsecond for each, and serializing half as long. */
const MAX_IN_TURN = 2_000

const known = new WeakMap<readonly Category[], Promise<string>>()

/** Returns the JSON of a flat list as a tree, which is made once for each list. Other requests are served while a large one is made. */
export function categoryTreeJson(flat: readonly Category[]): Promise<string> {
  const made = known.get(flat) ?? makeJson(flat)
  known.set(flat, made)
  return made
}

async function makeJson(flat: readonly Category[]): Promise<string> {
  const isLarge = flat.length > MAX_IN_TURN
  if (isLarge) await nextTurn()
  const tree = toCategoryTree(flat)
  if (isLarge) await nextTurn()
  const json = JSON.stringify(tree)
  // The response is serialized in another turn.
  if (isLarge) await nextTurn()
  return json
}

/** Nests a flat list. A category whose parent is not in the list becomes a root; one that is its own ancestor is left out. */
function toCategoryTree(flat: readonly Category[]): CategoryNode[] {
  const ids = new Set(flat.map((category) => category.category_id))
  const childrenOf = Map.groupBy(flat, ({ parent_id }) => (parent_id !== null && ids.has(parent_id) ? parent_id : null))
  const nodesBelow = (parent: string | null, depth: number): CategoryNode[] =>
    depth > MAX_DEPTH
      ? []
      : (childrenOf.get(parent) ?? []).toSorted(byPosition).map((category) => ({
          category_id: category.category_id,
          name: category.name,
          slug: category.slug,
          parent_id: parent,
          depth,
          position: category.position,
          product_count: category.product_count,
          children: nodesBelow(category.category_id, depth + 1),
        }))
  return nodesBelow(null, 0)
}

const byPosition = (a: Category, b: Category) => a.position - b.position || (a.name < b.name ? -1 : 1)
