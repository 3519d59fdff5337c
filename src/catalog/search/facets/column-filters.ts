import { BANDS, type Columns } from '../columns/columns.ts'
import type { ValueDictionary } from '../columns/value-dictionary.ts'
import type { SearchRequest } from '../search-request.ts'
import { foldText } from '../words/words.ts'
import type { CategoryHierarchy } from './category-hierarchy.ts'
import type { ColumnFilters } from './count-and-filter.ts'

/** Turns the filters of a request into tests of column values: each distinct value is tested once, not each product. */
export function toColumnFilters(request: SearchRequest, columns: Columns, tree: CategoryHierarchy): ColumnFilters {
  const { categories, tags, brands, bands, minPrice, maxPrice } = request
  return {
    brand: brands && testBrands(columns.brands, brands),
    category: categories && testLists(columns.categoryLists, tree.withDescendants(categories)),
    tag: tags && testLists(columns.tagLists, tags),
    availability: bands && Uint8Array.from(BANDS, (band) => Number(bands.includes(band))),
    price:
      minPrice === undefined && maxPrice === undefined
        ? undefined
        : { min: minPrice ?? Number.NEGATIVE_INFINITY, max: maxPrice ?? Number.POSITIVE_INFINITY },
  }
}

function testBrands({ values }: ValueDictionary<string | null>, brands: readonly string[]): Uint8Array {
  const wanted = new Set(brands.map(foldText))
  return Uint8Array.from(values, (brand) => Number(brand !== null && wanted.has(foldText(brand))))
}

/** Tests lists for any of some members. */
function testLists({ values }: ValueDictionary<readonly string[]>, members: readonly string[]): Uint8Array {
  const wanted = new Set(members)
  return Uint8Array.from(values, (list) => Number(list.some((member) => wanted.has(member))))
}
