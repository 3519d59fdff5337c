import type { DatabaseSync } from 'node:sqlite'

/** The categories of a mirror, in memory. */
export interface CategoryHierarchy {
  /** Returns the ids of categories, by their ids or slugs, and of their descendants. Others than known categories are left out. */
  withDescendants(idsOrSlugs: readonly string[]): readonly string[]
  /** Returns the ids of the categories of a list and of their ancestors, each once. The same list has the same result. */
  withAllAncestors(ids: readonly string[]): readonly string[]
}

interface Row {
  category_id: string
  slug: string
  parent_id: string | null
}

export function readCategoryHierarchy(database: DatabaseSync): CategoryHierarchy {
  const rows = database.prepare('SELECT category_id, slug, parent_id FROM categories').all() as unknown as Row[]
  const parents = new Map(rows.map(({ category_id, parent_id }) => [category_id, parent_id]))
  const children = Map.groupBy(rows, ({ parent_id }) => parent_id)
  const slugs = new Map(rows.map(({ category_id, slug }) => [slug, category_id]))

  const ofLists = new WeakMap<readonly string[], readonly string[]>()

  return {
    withDescendants(idsOrSlugs) {
      const found = new Set<string>()
      for (const idOrSlug of idsOrSlugs) {
        const root = parents.has(idOrSlug) ? idOrSlug : slugs.get(idOrSlug)
        if (root !== undefined) found.add(root)
      }
      for (const id of found) for (const { category_id } of children.get(id) ?? []) found.add(category_id)
      return [...found]
    },
    withAllAncestors(ids) {
      const known = ofLists.get(ids)
      if (known) return known
      const found = new Set<string>()
      // A product may be in a category that the tree does not have.
      for (const id of ids)
        for (let at: string | null | undefined = id; at != null && !found.has(at); at = parents.get(at)) found.add(at)
      ofLists.set(ids, [...found])
      return [...found]
    },
  }
}
