import { PRICE_BUCKETS } from '../columns/price-buckets.ts'
import { BANDS, type Columns } from '../columns/product-columns.ts'
import type { FacetCount, FacetCounts, PriceRange } from '../search-result.ts'
import type { CategoryHierarchy } from './category-hierarchy.ts'
import type { RawCounts } from './count-and-filter.ts'

/** The maximum number of values of a facet. The values with the most products stay. */
const MAX_VALUES = 100

/** Adds up counts by the names of the values. A category counts the products of its descendants, each once. */
export function sumFacetCounts(
  columns: Columns,
  counts: RawCounts,
  tree: CategoryHierarchy,
  maxValues = MAX_VALUES,
): FacetCounts {
  const { brand, category, tag, availability, price } = counts
  const { brands, categoryLists, tagLists } = columns
  const nameBrands = (code: number) => (brands.values[code] === null ? [] : [brands.values[code]!])
  const nameCategories = (code: number) => tree.withAllAncestors(categoryLists.values[code]!)
  const nameTags = (code: number) => tagLists.values[code]!
  return {
    ...(brand && { brand: sumByName(brand, nameBrands, maxValues) }),
    ...(category && { category: sumByName(category, nameCategories, maxValues) }),
    ...(tag && { tag: sumByName(tag, nameTags, maxValues) }),
    ...(availability && {
      availability: sumByName(availability, (code) => (BANDS[code] ? [BANDS[code]] : []), maxValues),
    }),
    ...(price && { price: toPriceRanges(price) }),
  }
}

function sumByName<Name extends string>(
  counts: Uint32Array,
  namesOf: (code: number) => Iterable<Name>,
  maxValues: number,
): FacetCount<Name>[] {
  const sums = new Map<Name, number>()
  counts.forEach((count, code) => {
    if (count > 0) for (const name of namesOf(code)) sums.set(name, (sums.get(name) ?? 0) + count)
  })
  return [...sums]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
    .slice(0, maxValues)
}

const toPriceRanges = (counts: Uint32Array): PriceRange[] =>
  [...counts.subarray(0, PRICE_BUCKETS.length).entries()].flatMap(([step, count]) =>
    count === 0 ? [] : [{ from: PRICE_BUCKETS[step]!, to: PRICE_BUCKETS[step + 1] ?? null, count }],
  )
