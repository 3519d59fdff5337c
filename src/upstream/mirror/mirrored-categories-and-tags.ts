import { setImmediate as nextTurn } from 'node:timers/promises'
import { LISTS_TAG } from '../../cache/invalidations.ts'
import type { Category } from '../../ports/inventory.ts'
import type { BackOffice } from '../back-office.ts'
import type { LoadResult } from '../read-stack/cached-loader.ts'
import type { RequestScope } from '../request/request-scope.ts'
import type { MirrorAccess } from './mirror-access.ts'
import { toMirrored } from './mirror-searches.ts'

/** Reads categories and tags from a mirror, as far as it has them, and otherwise from `inner`. */
export function readMirroredTaxonomy(inner: BackOffice, access: MirrorAccess): Pick<BackOffice, 'categories' | 'tags'> {
  const readAllCategories = createCategoryListReader(access)

  /** Returns `null` when the inventory must be asked. */
  async function readList<V>(
    name: 'categories' | 'tags',
    scope: RequestScope,
    read: () => V | null | Promise<V | null>,
  ): Promise<LoadResult<V> | null> {
    const filled = scope.faults.inventory ? null : access.part(name, 'inventory', scope)
    const value = filled && (await read())
    if (!filled || !value) return null
    scope.tags.add(LISTS_TAG)
    return toMirrored(value, filled)
  }

  const readCategories = (ids: readonly string[] | undefined) =>
    ids ? access.read((mirror) => mirror.categories(ids)) : readAllCategories()

  return {
    categories: async (scope, ids) =>
      (await readList('categories', scope, () => readCategories(ids))) ?? inner.categories(scope, ids),
    tags: async (scope, tags) =>
      (await readList('tags', scope, () => access.read((mirror) => mirror.tags(tags)))) ?? inner.tags(scope, tags),
  }
}

/** Returns a function that reads all categories, one part per turn of the event loop; `null` if the file cannot be read. Concurrent calls share a read. */
function createCategoryListReader(access: MirrorAccess): () => Promise<Category[] | null> {
  let reading: Promise<Category[] | null> | null = null

  const readPart = () => access.read((mirror) => ({ list: mirror.readAllCategories() }))

  async function readParts(): Promise<Category[] | null> {
    let found = readPart()
    while (found && found.list === null) {
      await nextTurn()
      found = readPart()
    }
    return found ? found.list : null
  }

  return () => {
    reading ??= readParts().finally(() => {
      reading = null
    })
    return reading
  }
}
