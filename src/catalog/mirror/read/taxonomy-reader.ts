import type { DatabaseSync } from 'node:sqlite'
import type { Category, Tag } from '../../../ports/inventory.ts'
import { cacheByState } from '../../search/cache-by-version.ts'

/** The categories and tags of a mirror. A large catalog has thousands of categories, of which a search shows few: it reads them by their keys. */
export interface TaxonomyReader {
  /** `ids`: reads only these, in their order. Returns the same list until the categories have changed. Callers must not change it. */
  categories(ids?: readonly string[]): Category[]
  /** `names`: reads only these, in their order. */
  tags(names?: readonly string[]): Tag[]
}

const CATEGORY = 'category_id, name, slug, parent_id, position, product_count'
const TAG = 'tag, name, count'

export function createTaxonomyReader(database: DatabaseSync): TaxonomyReader {
  const allCategories = database.prepare(`SELECT ${CATEGORY} FROM categories ORDER BY position, category_id`)
  const readAll = cacheByState(database, 'categories', () => allCategories.all() as unknown as Category[])
  const allTags = database.prepare(`SELECT ${TAG} FROM tags ORDER BY tag`)
  // A cross join looks up the members of the list, in its order.
  const someCategories = database.prepare(
    `SELECT ${CATEGORY} FROM json_each(?) AS listed CROSS JOIN categories ON category_id = listed.value`,
  )
  const someTags = database.prepare(`SELECT ${TAG} FROM json_each(?) AS listed CROSS JOIN tags ON tag = listed.value`)
  return {
    categories: (ids) => (ids ? (someCategories.all(JSON.stringify(ids)) as unknown as Category[]) : readAll()),
    tags: (names) => (names ? someTags.all(JSON.stringify(names)) : allTags.all()) as unknown as Tag[],
  }
}
