import type { DatabaseSync } from 'node:sqlite'
import { cacheByState } from '../cache-by-state.ts'
import type { CategoryHierarchy } from '../facets/category-hierarchy.ts'
import { countAndFilter } from '../facets/count-and-filter.ts'
import { nameFacetCounts } from '../facets/name-facet-counts.ts'
import { createProductSuggester, type ProductSuggesterParts } from './suggest-products.ts'
import { readVehicleSuggester } from './suggest-vehicles.ts'
import type { BrandSuggestion, CategorySuggestion, Suggestions, SuggestRequest } from './suggestion-types.ts'
import { completes, parseTypedText, type TypedText, toNameWords } from './typed-text.ts'

export interface SuggesterParts extends ProductSuggesterParts {
  tree: () => CategoryHierarchy
}

export type Suggester = (request: SuggestRequest) => Suggestions

interface Named<S> {
  words: readonly string[]
  suggestion: S
}

const NONE: Suggestions = { products: [], categories: [], brands: [], vehicles: [] }

/** Creates the suggestions for typing. */
export function createSuggester(parts: SuggesterParts): Suggester {
  const { database } = parts
  const names = cacheByState(database, 'sequence', () => readNames(database, parts), parts.reuse)
  const suggestVehicles = cacheByState(database, 'vehicles', readVehicleSuggester, parts.reuse)
  const suggestProducts = createProductSuggester(parts)

  function suggest(request: SuggestRequest, typed: TypedText): Suggestions {
    const pick = <S>(list: readonly Named<S>[]): S[] => {
      const found: S[] = []
      for (const { words, suggestion } of list) {
        if (found.length >= request.limit) break
        if (completes(words, typed)) found.push(suggestion)
      }
      return found
    }
    return {
      products: suggestProducts(request, typed),
      categories: pick(names().categories),
      brands: pick(names().brands),
      vehicles: suggestVehicles()(typed, request.limit),
    }
  }

  return (request) => {
    const typed = parseTypedText(request.text)
    return typed ? suggest(request, typed) : NONE
  }
}

/** Reads the categories and brands that have products, those with the most products first. */
function readNames(database: DatabaseSync, { columns, tree }: SuggesterParts) {
  const { counts } = countAndFilter(columns(), null, {}, ['brand', 'category'])
  const { brand = [], category = [] } = nameFacetCounts(columns(), counts, tree(), Number.POSITIVE_INFINITY)
  const rows = database.prepare('SELECT category_id, name, slug FROM categories').all() as unknown as Omit<
    CategorySuggestion,
    'count'
  >[]
  const byId = new Map(rows.map((row) => [row.category_id, row]))
  return {
    brands: brand.map((suggestion): Named<BrandSuggestion> => ({ words: toNameWords(suggestion.value), suggestion })),
    categories: category.flatMap(({ value, count }): Named<CategorySuggestion>[] => {
      const row = byId.get(value)
      return row ? [{ words: toNameWords(row.name), suggestion: { ...row, count } }] : []
    }),
  }
}
