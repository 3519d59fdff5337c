import { PRICE_BUCKETS } from '../columns/price-buckets.ts'
import { BANDS, type Columns, type ValueFacet } from '../columns/product-columns.ts'
import { contains, unite } from '../id-set.ts'
import type { SearchFacet } from '../search-request.ts'
import type { ColumnFilters } from './column-filters.ts'

/** Counts by the code of the value: a brand, a list of categories, a list of tags, a band, a price range of `PRICE_BUCKETS`. */
export type RawCounts = Partial<Record<SearchFacet, Uint32Array>>

export interface Filtered {
  /** The ids that match, in ascending order. */
  ids: Uint32Array
  counts: RawCounts
}

const COLUMN_OF = {
  brand: 'brand',
  category: 'categories',
  tag: 'tags',
  availability: 'band',
  price: 'priceStep',
} as const

/**
 * Filters candidates and counts facets. A facet counts the products that pass all filters except its own, so that a shopper sees how many
 * products another choice would find. `candidates`: ids in ascending order, or `null` for all products.
 */
export function countAndFilter(
  columns: Columns,
  candidates: Uint32Array | null,
  filters: ColumnFilters,
  facets: readonly SearchFacet[],
): Filtered {
  const active = candidates && keepActive(columns, candidates)
  const ids = applyFilters(columns, active, filters)
  const counts: RawCounts = {}
  for (const facet of facets) {
    const counted = filters[facet] ? applyFilters(columns, active, { ...filters, [facet]: undefined }) : ids
    counts[facet] = countValues(columns, facet, counted)
  }
  return { ids, counts }
}

/** `active`: candidates that are active, or `null` for all active products. */
function applyFilters(columns: Columns, active: Uint32Array | null, filters: ColumnFilters): Uint32Array {
  const start = active ? { ids: active } : findStart(columns, filters)
  let { ids } = start
  const { price, ...tests } = { ...filters, ...(start.facet && { [start.facet]: undefined }) }
  for (const facet of Object.keys(tests) as (keyof typeof tests)[]) {
    const passing = tests[facet]
    if (passing) ids = keepValues(ids, columns[COLUMN_OF[facet]], toFlags(passing, countDistinct(columns, facet)))
  }
  return price ? keepPrices(ids, columns.price, price) : ids
}

const SELECTIVE = ['category', 'brand', 'tag'] as const
/** Up to this share of the catalog, the products of a filter's values are listed. Beyond it, testing each product costs less. */
const MAX_SHARE = 1 / 16

/** Returns the products to begin with: those of the most selective filter, or all. `facet`: the filter that they have passed. */
function findStart(columns: Columns, filters: ColumnFilters): { ids: Uint32Array; facet?: ValueFacet } {
  const [first] = SELECTIVE.flatMap((facet) => {
    const passing = filters[facet]
    if (!passing) return []
    const { count, idsOf } = columns.byValue(facet)
    return [{ facet, passing, idsOf, found: passing.reduce((sum, value) => sum + count(value), 0) }]
  }).sort((one, other) => one.found - other.found)
  const ids = columns.allActive()
  if (!first || first.found > ids.length * MAX_SHARE) return { ids }
  return { ids: unite(first.passing.map(first.idsOf)), facet: first.facet }
}

function toFlags(codes: readonly number[], size: number): Uint8Array {
  const flags = new Uint8Array(size)
  for (const code of codes) flags[code] = 1
  return flags
}

/** Testing one column after the other is several times faster than testing one product after the other. */
function keepValues(ids: Uint32Array, column: Uint32Array | Uint8Array, passes: Uint8Array): Uint32Array {
  const kept = new Uint32Array(ids.length)
  let count = 0
  for (let at = 0; at < ids.length; at++) if (passes[column[ids[at]!]!] === 1) kept[count++] = ids[at]!
  return kept.slice(0, count)
}

/** A product without a price is in no range. */
function keepPrices(ids: Uint32Array, column: Float64Array, { min, max }: { min: number; max: number }): Uint32Array {
  return ids.filter((id) => column[id]! >= min && column[id]! <= max)
}

function countValues(columns: Columns, facet: SearchFacet, ids: Uint32Array): Uint32Array {
  const column = columns[COLUMN_OF[facet]]
  const counts = new Uint32Array(countDistinct(columns, facet))
  for (let at = 0; at < ids.length; at++) counts[column[ids[at]!]!]! += 1
  return counts
}

function countDistinct({ brands, categoryLists, tagLists }: Columns, facet: SearchFacet): number {
  if (facet === 'availability') return BANDS.length + 1
  if (facet === 'price') return PRICE_BUCKETS.length + 1
  return { brand: brands, category: categoryLists, tag: tagLists }[facet].values.length
}

/** When few products are withdrawn, they are looked up among the candidates instead of the reverse. */
const MIN_SHARE = 32

/** The candidates themselves are returned when all are active, so that a common word is not copied. */
function keepActive({ active, allWithdrawn }: Columns, candidates: Uint32Array): Uint32Array {
  const withdrawn = allWithdrawn()
  const isFew = withdrawn.length * MIN_SHARE < candidates.length
  if (isFew && !withdrawn.some((id) => contains(candidates, id))) return candidates
  let at = 0
  while (at < candidates.length && active[candidates[at]!] === 1) at += 1
  return at === candidates.length ? candidates : candidates.filter((id) => active[id] === 1)
}
