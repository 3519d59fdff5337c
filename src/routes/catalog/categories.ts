import { type CategoryNode, CategoryTree } from '../../contract/taxonomy.ts'
import { defineRoute } from '../../http/route.ts'
import type { Category } from '../../ports/inventory.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { required, valueSection } from '../../sections/section.ts'

export const getCategoriesRoute = defineRoute({
  method: 'GET',
  path: '/v1/categories',
  operationId: 'getCategories',
  summary: 'Get the category tree',
  tag: 'Catalog',
  scope: 'storefront:catalog',
  input: {},
  response: CategoryTree,
  caching: 'catalog',
  sections: { required: ['data'], optional: [] },
  async handle({ backOffice, requestScope }) {
    const { values, errors, traces } = await fanOut(requestScope, {
      data: required(backOffice.categories(requestScope).then(valueSection)),
    })
    return { body: { data: toCategoryTree(values.data ?? []), errors }, errors, traces }
  },
})

const MAX_DEPTH = 20

/** Nests a flat list. A category whose parent is not in the list becomes a root; one that is its own ancestor is left out. */
export function toCategoryTree(flat: readonly Category[]): CategoryNode[] {
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
