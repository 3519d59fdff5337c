import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { Category, ProductCategory, Tag } from '../../../src/ports/inventory.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import { toSlug } from '../../to-slug.ts'
import type { Rpc } from '../client/rpc.ts'
import { TrytonId } from '../client/tryton-values.ts'
import type { TrytonSettings } from '../settings.ts'

const Row = Type.Object({ id: TrytonId, name: Type.String(), parent: Type.Union([TrytonId, Type.Null()]) })
const Rows = responseSchema(Type.Array(Row))
type Row = Static<typeof Row>

/** A category or tag below its root, with the ids of its ancestors up to that root. */
export interface CategoryNode extends ProductCategory {
  id: number
  parent: number | null
  position: number
  ancestors: number[]
}

/** The categories and the tags, which Tryton stores in one table below two roots. */
export interface CategoryTable {
  categories: Map<number, CategoryNode>
  /** `null` when the root does not exist. */
  tags: Map<number, CategoryNode> | null
}

export function createCategoryTableReader(
  settings: TrytonSettings,
  rpc: Rpc,
  nowMs: () => number,
): (call: Call) => Promise<CategoryTable> {
  const load = async (call: Call) => {
    const domain = [['accounting', '=', false]]
    const params = [domain, 0, null, [['id', 'ASC']], ['name', 'parent']]
    const rows = await rpc(Rows, 'product.category.search_read', params, call)
    const tags = buildSubtree(settings.tags_root ?? 'Tags', rows)
    return {
      categories: buildSubtree(settings.catalog_root ?? 'Catalog', rows) ?? new Map<number, CategoryNode>(),
      tags,
    }
  }
  return createCachedTableLoader(load, { maxAgeMs: 60_000, now: nowMs })
}

/** Returns the nodes below a root, parents first. The root itself is not a category of the storefront. */
function buildSubtree(rootName: string, rows: readonly Row[]): Map<number, CategoryNode> | null {
  const root = rows.find((row) => row.parent === null && row.name === rootName)
  if (root === undefined) return null
  const children = Map.groupBy(rows, (row) => row.parent)
  const nodes = new Map<number, CategoryNode>()
  const visit = (parent: Row, ancestors: number[]) => {
    const sorted = (children.get(parent.id) ?? []).toSorted((a, b) => compareCodeUnits(a.name, b.name) || a.id - b.id)
    for (const [position, row] of sorted.entries()) nodes.set(row.id, toNode(row, position, ancestors))
    for (const row of sorted) visit(row, [...ancestors, row.id])
  }
  visit(root, [])
  assignSlugs(nodes)
  return nodes
}

const toNode = (row: Row, position: number, ancestors: number[]): CategoryNode => ({
  id: row.id,
  category_id: String(row.id),
  name: row.name,
  slug: toSlug(row.name),
  parent: ancestors.at(-1) ?? null,
  position,
  ancestors,
})

/** Makes slugs unique. The oldest node of a name keeps the plain slug, so that a new one never takes over a URL. */
function assignSlugs(nodes: Map<number, CategoryNode>): void {
  const taken = new Set<string>()
  for (const node of [...nodes.values()].sort((a, b) => a.id - b.id)) {
    const parent = node.parent === null ? undefined : nodes.get(node.parent)
    const candidates = [node.slug, `${toSlug(parent?.name ?? '')}-${node.slug}`, `${node.slug}-${node.id}`]
    node.slug = candidates.find((candidate) => !taken.has(candidate)) ?? `${node.slug}-${node.id}`
    taken.add(node.slug)
  }
}

export function findCategoryNode(nodes: Map<number, CategoryNode>, idOrSlug: string): CategoryNode | undefined {
  const byId = /^\d{1,15}$/.test(idOrSlug) ? nodes.get(Number(idOrSlug)) : undefined
  return byId ?? nodes.values().find((node) => node.slug === idOrSlug)
}

export const toCategory = (node: CategoryNode, count: number | null): Category => ({
  category_id: node.category_id,
  name: node.name,
  slug: node.slug,
  parent_id: node.parent === null ? null : String(node.parent),
  position: node.position,
  product_count: count,
})

export const toTag = (node: CategoryNode, count: number | null): Tag => ({ tag: node.slug, name: node.name, count })

// Compares code units, not by locale: the order must be the same on every machine.
const compareCodeUnits = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
