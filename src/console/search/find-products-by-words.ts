import type { TenantMirror } from '../../changes/mirror/tenant-mirror.ts'
import type { FoundRow } from '../../storage/console-search/found-row.ts'
import type { Tenant } from '../../tenant.ts'

export type WordSearchedMirror = Pick<TenantMirror, 'tenant' | 'isServing' | 'search' | 'skusOf'>

/** As many products of a merchant and mode say whether the words were good. */
const MAX_PRODUCTS = 10
const MAX_MIRRORS = 10
/** Searches of shoppers may be waiting before this one. */
const SEARCH_TIMEOUT_MS = 3_000

export interface ProductsOfWords {
  rows: FoundRow[]
  /** Their mirrors gave no result in time, or were too many. */
  unsearched: Tenant[]
}

/** Finds the first products of a text in each mirror, as the shop lists them: by words, by the beginning of a number, by a maker's number. */
export async function findProductsByWords(
  mirrors: readonly WordSearchedMirror[],
  text: string,
): Promise<ProductsOfWords> {
  const serving = mirrors.filter(({ isServing }) => isServing)
  const results = await Promise.all(serving.slice(0, MAX_MIRRORS).map((mirror) => searchMirror(mirror, text)))
  return {
    rows: results.flatMap((rows) => rows ?? []),
    unsearched: serving.filter((_, index) => !results[index]).map(({ tenant }) => tenant),
  }
}

/** Returns `null` when the mirror gave no result. */
async function searchMirror(mirror: WordSearchedMirror, q: string): Promise<FoundRow[] | null> {
  const { merchant, mode } = mirror.tenant
  try {
    const { ids, corrected } = await mirror.search(
      { q, limit: MAX_PRODUCTS, offset: 0 },
      AbortSignal.timeout(SEARCH_TIMEOUT_MS),
    )
    // Support looks for what was typed, and a text that names no product is corrected to one that does.
    if (corrected !== null) return []
    return mirror.skusOf(ids).map((id) => ({ tenant_id: merchant, mode, id }))
  } catch {
    // Too many searches wait, or the file is damaged and is being replaced.
    return null
  }
}
