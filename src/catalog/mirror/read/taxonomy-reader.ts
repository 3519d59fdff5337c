import type { DatabaseSync } from 'node:sqlite'
import type { Category, Tag } from '../../../ports/inventory.ts'
import { createSnapshotReads } from '../file/snapshot-reads.ts'

/** The categories and tags of a mirror. A large catalog has thousands of categories, of which a search shows few: it reads them by their keys. */
export interface TaxonomyReader {
  /** Returns the categories with these ids, in the order of `ids`. */
  categories(ids: readonly string[]): Category[]
  /**
   * Reads the next part of all categories. Returns all of them, by their ids, when the last part has been read; `null`: call it again. Until a
   * category changes, it returns the same list, which callers must not change.
   */
  readAllCategories(): Category[] | null
  /** `names`: reads only these, in their order. */
  tags(names?: readonly string[]): Tag[]
}

const CATEGORY = 'category_id, name, slug, parent_id, position, product_count'
const TAG = 'tag, name, count'
/** The number of categories in a part, which takes about a millisecond to read. */
const PART = 1_000

/** The categories of one version that have been read so far. */
interface ReadCategories {
  version: number
  list: Category[]
  isComplete: boolean
}

export function createTaxonomyReader(database: DatabaseSync): TaxonomyReader {
  const inSnapshot = createSnapshotReads(database)
  const version = database.prepare(`SELECT value FROM state WHERE name = 'categories'`)
  const readVersion = () => (version.get() as { value: number } | undefined)?.value ?? 0
  const nextCategories = database.prepare(
    `SELECT ${CATEGORY} FROM categories WHERE category_id > ? ORDER BY category_id LIMIT ${PART}`,
  )
  const allTags = database.prepare(`SELECT ${TAG} FROM tags ORDER BY tag`)
  // A cross join looks up the members of the list, in its order.
  const someCategories = database.prepare(
    `SELECT ${CATEGORY} FROM json_each(?) AS listed CROSS JOIN categories ON category_id = listed.value`,
  )
  const someTags = database.prepare(`SELECT ${TAG} FROM json_each(?) AS listed CROSS JOIN tags ON tag = listed.value`)
  let read: ReadCategories | undefined

  /** Reads the next part. Starts again when a category has changed, so that parts of different versions are not mixed. */
  function readPart(): ReadCategories {
    const current = readVersion()
    if (read?.version !== current) read = { version: current, list: [], isComplete: false }
    if (read.isComplete) return read
    const part = nextCategories.all(read.list.at(-1)?.category_id ?? '') as unknown as Category[]
    read.list.push(...part)
    read.isComplete = part.length < PART
    return read
  }

  return {
    categories: (ids) => someCategories.all(JSON.stringify(ids)) as unknown as Category[],
    readAllCategories() {
      const { list, isComplete } = inSnapshot(readPart)
      return isComplete ? list : null
    },
    tags: (names) => (names ? someTags.all(JSON.stringify(names)) : allTags.all()) as unknown as Tag[],
  }
}
