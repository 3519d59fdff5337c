import { BANDS, type Columns } from '../columns/columns.ts'
import { PRICE_STEPS } from '../columns/price-steps.ts'
import { contains } from '../id-set.ts'
import type { SearchFacet } from '../search-request.ts'

/** The filter of each facet: 1 for the code of each value that passes. Absent: no filter. */
export interface ColumnFilters {
  brand?: Uint8Array | undefined
  category?: Uint8Array | undefined
  tag?: Uint8Array | undefined
  availability?: Uint8Array | undefined
  price?: { min: number; max: number } | undefined
}

/** Counts by the code of the value: a brand, a list of categories, a list of tags, a band, a price range of `PRICE_STEPS`. */
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
  const active = keepActive(columns, candidates)
  const ids = applyFilters(columns, active, filters)
  const counts: RawCounts = {}
  for (const facet of facets) {
    const counted = filters[facet] ? applyFilters(columns, active, { ...filters, [facet]: undefined }) : ids
    counts[facet] = countValues(columns, facet, counted)
  }
  return { ids, counts }
}

function applyFilters(columns: Columns, candidates: Uint32Array, { price, ...tests }: ColumnFilters): Uint32Array {
  let ids = candidates
  for (const facet of Object.keys(tests) as (keyof typeof tests)[]) {
    const passes = tests[facet]
    if (passes) ids = keepValues(ids, columns[COLUMN_OF[facet]], passes)
  }
  return price ? keepPrices(ids, columns.price, price) : ids
}

/** One column after the other is several times faster than one product after the other. */
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
  if (facet === 'price') return PRICE_STEPS.length + 1
  return { brand: brands, category: categoryLists, tag: tagLists }[facet].values.length
}

/** When few products are withdrawn, they are looked up among the candidates instead of the reverse. */
const MIN_SHARE = 32

/** The candidates themselves are returned when all are active, so that a common word is not copied. */
function keepActive({ active, allActive, allWithdrawn }: Columns, candidates: Uint32Array | null): Uint32Array {
  if (!candidates) return allActive()
  const withdrawn = allWithdrawn()
  const isFew = withdrawn.length * MIN_SHARE < candidates.length
  if (isFew && !withdrawn.some((id) => contains(candidates, id))) return candidates
  let at = 0
  while (at < candidates.length && active[candidates[at]!] === 1) at += 1
  return at === candidates.length ? candidates : candidates.filter((id) => active[id] === 1)
}
