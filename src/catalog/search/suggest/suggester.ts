import type { DatabaseSync } from 'node:sqlite'
import { cacheByState } from '../cache-by-version.ts'
import type { CategoryHierarchy } from '../facets/category-hierarchy.ts'
import { countAndFilter } from '../facets/count-and-filter.ts'
import { sumFacetCounts } from '../facets/sum-facet-counts.ts'
import type { Spelling } from '../words/spelling.ts'
import type { Synonyms } from '../words/synonyms.ts'
import { mayBeCorrected } from '../words/tokenizer.ts'
import { createProductSuggester, type ProductSuggesterParts } from './suggest-products.ts'
import { readVehicleSuggester } from './suggest-vehicles.ts'
import type {
  BrandSuggestion,
  CategorySuggestion,
  ProductSuggestion,
  Suggestions,
  SuggestRequest,
} from './suggestion-types.ts'
import { completes, parseTypedText, type TypedText, toNameWords } from './typed-text.ts'

export interface SuggesterParts extends ProductSuggesterParts {
  tree: () => CategoryHierarchy
  synonyms: Synonyms
  spelling: () => Spelling
  /** Returns the ids of the first products that a search for the text finds. */
  search: (request: SuggestRequest) => number[]
}

export type Suggester = (request: SuggestRequest) => Suggestions

interface Named<S> {
  words: readonly string[]
  suggestion: S
}

const NONE: Suggestions = { products: [], categories: [], brands: [], vehicles: [] }

/**
 * Creates the suggestions for typing. For a text that nothing begins with, they are those of the text with corrected spelling. When there is no
 * product, a search may find some, for example "5W-30" for "5w30".
 */
export function createSuggester(parts: SuggesterParts): Suggester {
  const { database } = parts
  const names = cacheByState(database, 'sequence', () => readNames(database, parts), parts.reuse)
  const suggestVehicles = cacheByState(database, 'vehicles', readVehicleSuggester, parts.reuse)
  const suggestProducts = createProductSuggester(parts)
  const readProduct = prepareProduct(database)

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
      products: suggestProducts(request, typed).map(readProduct),
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

  function completeCorrected(request: SuggestRequest): Suggestions {
    const corrected = mayBeCorrected(request.text) ? parts.spelling().correct(request.text, { isTyping: true }) : null
    return corrected === null ? NONE : complete({ ...request, text: corrected })
  }

  return (request) => {
    const completed = complete(request)
    const found = isEmpty(completed) ? completeCorrected(request) : completed
    return found.products.length > 0 ? found : { ...found, products: parts.search(request).map(readProduct) }
  }
}

function prepareProduct(database: DatabaseSync) {
  const statement = database.prepare('SELECT sku, name, slug FROM products WHERE id = ?')
  return (id: number) => ({ ...(statement.get(id) as object) }) as ProductSuggestion
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
  const { brand = [], category = [] } = sumFacetCounts(columns(), counts, tree(), Number.POSITIVE_INFINITY)
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
