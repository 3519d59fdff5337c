import type { CategoryHierarchy } from './category-hierarchy.ts'
import { BANDS, type Columns } from './columns.ts'
import type { ColumnFilters } from './count-and-filter.ts'
import type { SearchRequest } from './search-request.ts'
import type { ValueNumbers } from './value-numbers.ts'
import { foldText } from './words.ts'

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

/** Returns the numbers of the values that have any of some names, each once. */
function findNamed({ withName }: ValueNumbers<unknown>, names: readonly string[]): readonly number[] {
  if (names.length === 1) return withName(names[0]!)
  return [...new Set(names.flatMap(withName))]
}
