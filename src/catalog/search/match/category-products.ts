import { LRUCache } from 'lru-cache'
import type { Columns } from '../columns/product-columns.ts'
import type { CategoryHierarchy } from '../facets/category-hierarchy.ts'
import { toMemoryBytes, unite } from '../id-set.ts'
import type { Reuse } from '../reuse-tracker.ts'

/** Returns the ids of the active products of categories and of their descendants, in ascending order. */
export type CategoryProducts = (categoryIds: readonly string[]) => Uint32Array

export interface CategoryProductsParts {
  columns: () => Columns
  tree: () => CategoryHierarchy
  /** The sequence number of the catalog in memory. */
  sequence: () => number
  cacheBytes: number
  /** Allows outdated products of a category, for a while after the catalog has changed. */
  reuse: Reuse
}

export function createCategoryProducts(parts: CategoryProductsParts): CategoryProducts {
  const { columns, tree, sequence, cacheBytes, reuse } = parts
  const lists = new LRUCache<string, { ids: Uint32Array; sequence: number; at: number }>({
    maxSize: cacheBytes,
    sizeCalculation: ({ ids }, key) => toMemoryBytes(ids) + key.length * 2 + 200,
  })
  return (categoryIds) => {
    const key = JSON.stringify(categoryIds)
    const known = lists.get(key)
    if (known && (known.sequence === sequence() || reuse.tryReuse(known.at))) return known.ids
    const { byValue, categoryLists } = columns()
    const codes = new Set(tree().withDescendants(categoryIds).flatMap(categoryLists.withName))
    const ids = unite([...codes].map(byValue('category').idsOf))
    lists.set(key, { ids, sequence: sequence(), at: reuse.now() })
    return ids
  }
}
