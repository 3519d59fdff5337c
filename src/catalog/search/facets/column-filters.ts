import { BANDS, type Columns } from '../columns/product-columns.ts'
import type { ValueDictionary } from '../columns/value-dictionary.ts'
import type { SearchRequest } from '../search-request.ts'
import { foldText } from '../words/tokenizer.ts'
import type { CategoryHierarchy } from './category-hierarchy.ts'

/** The filter of each facet: the codes of the values that pass. Absent: no filter. */
export interface ColumnFilters {
  brand?: readonly number[] | undefined
  category?: readonly number[] | undefined
  tag?: readonly number[] | undefined
  availability?: readonly number[] | undefined
  price?: { min: number; max: number } | undefined
}

/** Turns the filters of a request into the values of columns that pass. */
export function toColumnFilters(request: SearchRequest, columns: Columns, tree: CategoryHierarchy): ColumnFilters {
  const { categories, tags, brands, bands, minPrice, maxPrice } = request
  return {
    brand: brands && findNamed(columns.brands, brands.map(foldText)),
    category: categories && findNamed(columns.categoryLists, tree.withDescendants(categories)),
    tag: tags && findNamed(columns.tagLists, tags),
    availability: bands?.map((band) => BANDS.indexOf(band)),
    price:
      minPrice === undefined && maxPrice === undefined
        ? undefined
        : { min: minPrice ?? Number.NEGATIVE_INFINITY, max: maxPrice ?? Number.POSITIVE_INFINITY },
  }
}

/** Returns the codes of the values that have any of some names, each once. */
function findNamed({ withName }: ValueDictionary<unknown>, names: readonly string[]): readonly number[] {
  if (names.length === 1) return withName(names[0]!)
  return [...new Set(names.flatMap(withName))]
}
