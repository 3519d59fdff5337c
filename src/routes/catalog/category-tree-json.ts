import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CategoryNode } from '../../contract/catalog/category-tree.ts'
import type { Category } from '../../ports/inventory.ts'

const MAX_DEPTH = 20
/** The maximum number of categories in a turn of the event loop: a few milliseconds. */
const MAX_IN_TURN = 1_000
/** Each category has two parts of the JSON. */
const MAX_PARTS_IN_TURN = 2 * MAX_IN_TURN

const known = new WeakMap<readonly Category[], Promise<string>>()

/** Returns the JSON of a flat list as a tree, which is made once for each list. Other requests are served while a large one is made. */
export function categoryTreeJson(flat: readonly Category[]): Promise<string> {
  const made = known.get(flat) ?? makeJson(flat)
  known.set(flat, made)
  return made
}

async function makeJson(flat: readonly Category[]): Promise<string> {
  const isLarge = flat.length > MAX_IN_TURN
  const childrenOf = groupByParent(flat)
  if (isLarge) await nextTurn()
  const parts: string[] = []
  for (const part of writeChildren(childrenOf, null, 0)) {
    parts.push(part)
    if (parts.length % MAX_PARTS_IN_TURN === 0) await nextTurn()
  }
  if (isLarge) await nextTurn()
  const json = parts.join('')
  // The response is serialized in another turn.
  if (isLarge) await nextTurn()
  return json
}

type Children = ReadonlyMap<string | null, readonly Category[]>

/** A category whose parent is not in the list becomes a root. */
function groupByParent(flat: readonly Category[]): Children {
  const ids = new Set(flat.map((category) => category.category_id))
  return Map.groupBy(flat, ({ parent_id }) => (parent_id !== null && ids.has(parent_id) ? parent_id : null))
}

/** Yields the JSON of the categories below a parent. Categories in a cycle are below none, so they are left out. */
function* writeChildren(childrenOf: Children, parent: string | null, depth: number): Generator<string> {
  const children = depth > MAX_DEPTH ? [] : (childrenOf.get(parent) ?? []).toSorted(byPosition)
  let start = '['
  for (const category of children) {
    yield `${start}${writeNode(category, parent, depth)},"children":`
    yield* writeChildren(childrenOf, category.category_id, depth + 1)
    start = '},'
  }
  yield children.length === 0 ? '[]' : '}]'
}

/** Returns the JSON of a category, without its children and the closing brace. */
function writeNode(category: Category, parent_id: string | null, depth: number): string {
  const { category_id, name, slug, position, product_count } = category
  const node: Omit<CategoryNode, 'children'> = { category_id, name, slug, parent_id, depth, position, product_count }
  return JSON.stringify(node).slice(0, -1)
}

const byPosition = (a: Category, b: Category) => a.position - b.position || (a.name < b.name ? -1 : 1)
