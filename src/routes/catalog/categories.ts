import { type CategoryNode, CategoryTree } from '../../contract/taxonomy.ts'
import type { Category } from '../../ports/inventory.ts'
import { fanOut, one, required } from '../../sections/section.ts'
import { route } from '../../http/route.ts'

export const categories = route({
  method: 'GET',
  path: '/v1/categories',
  operationId: 'getCategories',
  summary: 'The category tree',
  tag: 'Catalog',
  scope: 'storefront:catalog',
  input: {},
  response: CategoryTree,
  caching: 'catalog',
  sections: { required: ['data'], optional: [] },
  async answer({ office, asking }) {
    const { values, errors, traces } = await fanOut(asking, { data: required(office.categories(asking).then(one)) })
    return { body: { data: treeOf(values.data ?? []), errors }, errors, traces }
  },
})

const MAX_DEPTH = 20

/** Nests a flat list. A category whose parent is not in the list is a root; one that is its own ancestor is left out. */
export function treeOf(flat: readonly Category[]): CategoryNode[] {
  const ids = new Set(flat.map((category) => category.category_id))
  const childrenOf = Map.groupBy(flat, ({ parent_id }) => (parent_id !== null && ids.has(parent_id) ? parent_id : null))
  const nodes = (parent: string | null, depth: number): CategoryNode[] =>
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
          children: nodes(category.category_id, depth + 1),
        }))
  return nodes(null, 0)
}

const byPosition = (a: Category, b: Category) => a.position - b.position || (a.name < b.name ? -1 : 1)
