import type { DatabaseSync } from 'node:sqlite'
import { cacheByState } from '../cache-by-state.ts'
import type { CategoryHierarchy } from '../facets/category-hierarchy.ts'
import { countAndFilter } from '../facets/count-and-filter.ts'
import { nameFacetCounts } from '../facets/name-facet-counts.ts'
import type { Spelling } from '../words/spelling.ts'
import type { Synonyms } from '../words/synonyms.ts'
import { isCorrectable, splitWords } from '../words/tokenizer.ts'
import { createProductSuggester, type ProductSuggesterParts } from './suggest-products.ts'
import { readVehicleSuggester } from './suggest-vehicles.ts'
import type { BrandSuggestion, CategorySuggestion, Suggestions, SuggestRequest } from './suggestion-types.ts'
import { completes, parseTypedText, type TypedText, toNameWords } from './typed-text.ts'

export interface SuggesterParts extends ProductSuggesterParts {
  tree: () => CategoryHierarchy
  synonyms: Synonyms
  spelling: () => Spelling
}

export type Suggester = (request: SuggestRequest) => Suggestions

interface Named<S> {
  words: readonly string[]
  suggestion: S
}

const NONE: Suggestions = { products: [], categories: [], brands: [], vehicles: [] }

/** Creates the suggestions for typing. For a text that nothing begins with, they are those of the text with corrected spelling. */
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

  function complete(request: SuggestRequest): Suggestions {
    const texts = parts.synonyms.expand(request.text, { isTyping: true })
    const found = texts.flatMap((text) => {
      const typed = parseTypedText(text)
      return typed ? suggest({ ...request, text }, typed) : []
    })
    return found.length < 2 ? (found[0] ?? NONE) : merge(found, request.limit)
  }

  return (request) => {
    const found = complete(request)
    // Reading all words of a catalog takes a while, and numbers are not corrected.
    if (!isEmpty(found) || !splitWords(request.text).some(isCorrectable)) return found
    const corrected = parts.spelling().correct(request.text, { isTyping: true })
    return corrected === null ? found : complete({ ...request, text: corrected })
  }
}

const isEmpty = ({ products, categories, brands, vehicles }: Suggestions): boolean =>
  [products, categories, brands, vehicles].every(({ length }) => length === 0)

/** Returns the suggestions of a text, then those of its synonyms. */
function merge(found: readonly Suggestions[], limit: number): Suggestions {
  const pick = <S>(listOf: (suggestions: Suggestions) => readonly S[], keyOf: (suggestion: S) => string): S[] => {
    const distinct = new Map<string, S>()
    for (const suggestion of found.flatMap(listOf))
      if (!distinct.has(keyOf(suggestion))) distinct.set(keyOf(suggestion), suggestion)
    return [...distinct.values()].slice(0, limit)
  }
  return {
    products: pick(
      ({ products }) => products,
      ({ sku }) => sku,
    ),
    categories: pick(
      ({ categories }) => categories,
      ({ category_id }) => category_id,
    ),
    brands: pick(
      ({ brands }) => brands,
      ({ value }) => value,
    ),
    vehicles: pick(
      ({ vehicles }) => vehicles,
      ({ label }) => label,
    ),
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
