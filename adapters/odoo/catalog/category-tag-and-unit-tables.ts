import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { Category, ProductCategory } from '../../../src/ports/inventory.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import { toSlug } from '../../to-slug.ts'
import { OdooId, OdooLink } from '../client/odoo-values.ts'
import type { OptionalFieldReader } from '../client/optional-field-reader.ts'
import { foundShape, type Rpc } from '../client/rpc.ts'

const MAX_AGE_MS = 60_000

const NamedRow = Type.Object({ id: OdooId, name: Type.String() })
const CategoryRow = Type.Object({ ...NamedRow.properties, parent_id: OdooLink })
type CategoryRow = Static<typeof CategoryRow>
const CategoryRows = foundShape(CategoryRow)
const TagRows = foundShape(NamedRow)
const UnitRows = foundShape(Type.Object({ ...NamedRow.properties, factor: Type.Number() }))

/** A category, with the ids of its ancestors. */
export interface CategoryNode extends ProductCategory {
  id: number
  position: number
  ancestors: number[]
}

export interface TagNode {
  id: number
  /** Its slug. */
  tag: string
  name: string
}

/** The small tables of a catalog. */
export interface LookupTables {
  /** The website's categories where Odoo has the module website_sale, otherwise those of products. */
  categories: Map<number, CategoryNode>
  categoryField: 'public_categ_ids' | 'categ_id'
  tags: Map<number, TagNode>
  /** `factor` is the number of reference units. */
  units: Map<number, { name: string; factor: number }>
}

export type LookupTableReader = (call: Call) => Promise<LookupTables>

export function createLookupTableReader(
  rpc: Rpc,
  readOptionalFields: OptionalFieldReader,
  nowMs: () => number,
): LookupTableReader {
  const load = async (call: Call): Promise<LookupTables> => {
    const hasShopCategories = (await readOptionalFields('product.product', call)).has('public_categ_ids')
    const order = hasShopCategories ? 'sequence, id' : 'complete_name, id'
    const categoryModel = hasShopCategories ? 'product.public.category' : 'product.category'
    const [categories, tags, units] = await Promise.all([
      rpc.search(CategoryRows, categoryModel, { domain: [], specification: { name: {}, parent_id: {} }, order }, call),
      rpc.search(TagRows, 'product.tag', { domain: [], specification: { name: {} }, order: 'id' }, call),
      rpc.search(UnitRows, 'uom.uom', { domain: [], specification: { name: {}, factor: {} }, order: 'id' }, call),
    ])
    return {
      categories: buildTree(categories.records),
      categoryField: hasShopCategories ? 'public_categ_ids' : 'categ_id',
      tags: buildTags(tags.records),
      units: new Map(units.records.map(({ id, name, factor }) => [id, { name, factor }])),
    }
  }
  return createCachedTableLoader(load, { maxAgeMs: MAX_AGE_MS, now: nowMs })
}

/** Returns the nodes, parents first. A category whose parent the user may not read is a root. */
function buildTree(rows: readonly CategoryRow[]): Map<number, CategoryNode> {
  const ids = new Set(rows.map(({ id }) => id))
  const parentOf = (row: CategoryRow) => (row.parent_id && ids.has(row.parent_id) ? row.parent_id : null)
  const children = Map.groupBy(rows, parentOf)
  const nodes = new Map<number, CategoryNode>()
  const visit = (parent: number | null, ancestors: number[]) => {
    for (const [position, { id, name }] of (children.get(parent) ?? []).entries()) {
      nodes.set(id, { id, category_id: String(id), name, slug: toSlug(name), position, ancestors })
      visit(id, [...ancestors, id])
    }
  }
  visit(null, [])
  assignSlugs(nodes)
  return nodes
}

/** Makes slugs unique. The oldest category of a name keeps the plain slug, so that a new one never takes over a URL. */
function assignSlugs(nodes: Map<number, CategoryNode>): void {
  const taken = new Set<string>()
  for (const node of [...nodes.values()].sort((a, b) => a.id - b.id)) {
    const parent = nodes.get(node.ancestors.at(-1) ?? 0)
    const candidates = [node.slug, `${toSlug(parent?.name ?? '')}-${node.slug}`]
    node.slug = candidates.find((candidate) => !taken.has(candidate)) ?? `${node.slug}-${node.id}`
    taken.add(node.slug)
  }
}

function buildTags(rows: readonly Static<typeof NamedRow>[]): Map<number, TagNode> {
  const taken = new Set<string>()
  return new Map(
    rows.map(({ id, name }) => {
      const slug = toSlug(name)
      const tag = taken.has(slug) ? `${slug}-${id}` : slug
      taken.add(tag)
      return [id, { id, tag, name }]
    }),
  )
}

export function findCategory({ categories }: LookupTables, idOrSlug: string): CategoryNode | undefined {
  const byId = /^\d{1,15}$/.test(idOrSlug) ? categories.get(Number(idOrSlug)) : undefined
  return byId ?? categories.values().find(({ slug }) => slug === idOrSlug)
}

export const toCategory = ({ category_id, name, slug, ancestors, position }: CategoryNode): Category => ({
  category_id,
  name,
  slug,
  parent_id: ancestors.length === 0 ? null : String(ancestors.at(-1)),
  position,
  product_count: null,
})
