import { type Static, Type } from 'typebox'
import type { Call } from '../../src/ports/call.ts'
import type { Category, ProductCategory, Tag } from '../../src/ports/inventory.ts'
import { shape } from '../../src/upstream/shape.ts'
import type { Rpc } from './rpc.ts'
import type { TrytonSettings } from './settings.ts'
import { slug, TrytonId } from './values.ts'
import { kept } from './waiting.ts'

const Row = Type.Object({ id: TrytonId, name: Type.String(), parent: Type.Union([TrytonId, Type.Null()]) })
const Rows = shape(Type.Array(Row))
type Row = Static<typeof Row>

/** One node below a root, with the ids of its parents up to that root. */
export interface Node extends ProductCategory {
  id: number
  parent: number | null
  position: number
  ancestors: number[]
}

/** Tryton keeps categories and tags in one table: two roots tell them apart. */
export interface CategoryTable {
  categories: Map<number, Node>
  /** `null` when there is no such root. */
  tags: Map<number, Node> | null
}

export function categoryTable(settings: TrytonSettings, rpc: Rpc, now: () => number): (call: Call) => Promise<CategoryTable> {
  const load = async (call: Call) => {
    const domain = [['accounting', '=', false]]
    const params = [domain, 0, null, [['id', 'ASC']], ['name', 'parent']]
    const rows = await rpc(Rows, 'product.category.search_read', params, call)
    const tags = below(settings.tags_root ?? 'Tags', rows)
    return { categories: below(settings.catalog_root ?? 'Catalog', rows) ?? new Map<number, Node>(), tags }
  }
  return kept(load, { maxAgeMs: 60_000, now })
}

/** The nodes below a root, parents first, each with a slug of its own; the root itself is no category of the storefront. */
function below(rootName: string, rows: readonly Row[]): Map<number, Node> | null {
  const root = rows.find((row) => row.parent === null && row.name === rootName)
  if (root === undefined) return null
  const nodes = new Map<number, Node>()
  const slugs = new Set<string>()
  const children = Map.groupBy(rows, (row) => row.parent)
  const visit = (parent: Row, above: Node | null) => {
    const sorted = (children.get(parent.id) ?? []).toSorted((a, b) => compare(a.name, b.name) || a.id - b.id)
    const added = sorted.map((row, position) => nodeOf(row, above, position, slugs))
    for (const node of added) nodes.set(node.id, node)
    for (const [index, row] of sorted.entries()) visit(row, added[index]!)
  }
  visit(root, null)
  return nodes
}

function nodeOf(row: Row, above: Node | null, position: number, slugs: Set<string>): Node {
  const own = slug(row.name)
  const candidates = [own, above === null ? own : `${above.slug}-${own}`, `${own}-${row.id}`]
  const free = candidates.find((candidate) => !slugs.has(candidate)) ?? `${own}-${row.id}`
  slugs.add(free)
  const parent = above?.id ?? null
  const ancestors = above === null ? [] : [...above.ancestors, above.id]
  return { id: row.id, category_id: String(row.id), name: row.name, slug: free, parent, position, ancestors }
}

export function nodeNamed(nodes: Map<number, Node>, idOrSlug: string): Node | undefined {
  const byId = /^\d{1,15}$/.test(idOrSlug) ? nodes.get(Number(idOrSlug)) : undefined
  return byId ?? nodes.values().find((node) => node.slug === idOrSlug)
}

export const toCategory = (node: Node, count: number | null): Category => ({
  category_id: node.category_id,
  name: node.name,
  slug: node.slug,
  parent_id: node.parent === null ? null : String(node.parent),
  position: node.position,
  product_count: count,
})

export const toTag = (node: Node, count: number | null): Tag => ({ tag: node.slug, name: node.name, count })

// Code units, not a locale: the order must be the same on every machine.
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
