import type { DatabaseSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import type { BoostConfig } from '../../config/config.ts'
import { createBoosts } from './boosts.ts'
import { cacheByState, cacheFor } from './cached-values.ts'
import { readCategoryHierarchy } from './category-hierarchy.ts'
import { toColumnFilters } from './column-filters.ts'
import { createLiveColumns } from './columns.ts'
import { countAndFilter, type Filtered } from './count-and-filter.ts'
import { createTextMatcher, type TextMatch } from './match-text.ts'
import { nameFacetCounts } from './name-facet-counts.ts'
import { prepareNameOrder } from './name-order.ts'
import { prepareCandidates } from './narrow-candidates.ts'
import { orderByRelevance } from './order-by-relevance.ts'
import type { FacetCounts, SearchRequest, SearchSort } from './search-request.ts'
import { selectPage } from './select-page.ts'
import { readSpelling } from './spelling.ts'
import { createSuggester } from './suggest.ts'
import type { Suggestions, SuggestRequest } from './suggest-request.ts'
import { readVehicleWords } from './vehicle-words.ts'
import { readWordCompletion } from './word-completion.ts'
import { createWordIndex } from './word-index.ts'

/** A page of the products that match, in order, as their ids in the mirror. */
export interface SearchResult {
  ids: number[]
  total: number
  facets: FacetCounts
  /** The corrected text that was searched instead of `q`, because no product has the words of `q`. */
  corrected: string | null
}

export interface SearchEngine {
  search(request: SearchRequest): SearchResult
  /** Completes a text that somebody is typing. */
  suggest(request: SuggestRequest): Suggestions
}

interface Found extends Filtered {
  /** Pages of the ids, by their order and range. */
  pages: Map<string, number[]>
  text: TextMatch | null
  facets: FacetCounts
}

export interface SearchEngineOptions {
  /** The memory for the products of each word, and for results that are requested again. */
  cacheBytes?: number
  /** For how long a result may be reused after the catalog has changed. */
  reuseMs?: number
  /** For how long suggestions may be reused after the catalog has changed. */
  suggestReuseMs?: number
  /** The merchant's boosts of products in the order by relevance. */
  boosts?: readonly BoostConfig[]
  now?: () => number
}

/** Reading all words of a catalog takes a while. */
const SPELLING_TTL_MS = 60_000
/** The maximum number of pages that are cached with a result. */
const MAX_PAGES = 32

/** Creates the search of one mirror. It belongs to one thread, and reads the changes of the file before each search. */
export function createSearchEngine(database: DatabaseSync, options: SearchEngineOptions = {}): SearchEngine {
  const {
    cacheBytes = 96 * 1_024 * 1_024,
    reuseMs = 500,
    suggestReuseMs = 30_000,
    boosts = [],
    now = () => performance.now(),
  } = options
  const tree = cacheByState(database, 'categories', readCategoryHierarchy)
  const live = createLiveColumns(database, (values) => createBoosts(boosts, values, tree))
  const columns = () => live.columns
  const vehicles = cacheByState(database, 'vehicles', readVehicleWords)
  const spelling = cacheFor(SPELLING_TTL_MS, now, () => readSpelling(database, vehicles().keys))
  const words = createWordIndex(database, { cacheBytes: Math.ceil(cacheBytes / 2), reuseMs, now })
  const completion = cacheByState(database, 'words', readWordCompletion, { reuseMs: suggestReuseMs, now })
  const matchText = createTextMatcher({ database, words, columns, vehicles, spelling, completion })
  const candidates = prepareCandidates(database, words)
  const orderByName = prepareNameOrder(database)
  const suggest = createSuggester({
    database,
    words,
    columns,
    vehicles,
    completion,
    tree,
    reuseMs: suggestReuseMs,
    now,
  })
  const results = new LRUCache<string, { found: Found; sequence: number; at: number }>({
    maxSize: Math.ceil(cacheBytes / 2),
    sizeCalculation: ({ found }, key) => found.ids.byteLength + key.length + 4_096,
  })

  function find(request: SearchRequest): Found {
    const text = request.q === undefined ? null : matchText(request.q, request.customerId ?? null)
    const chosen = candidates(request, text?.ids ?? null, columns())
    const filters = toColumnFilters(request, columns(), tree())
    const { ids, counts } = countAndFilter(columns(), chosen, filters, request.facets ?? [])
    return {
      ids,
      counts,
      text,
      pages: new Map(),
      facets: nameFacetCounts(columns(), counts, tree()),
    }
  }

  function findOrReuse(request: SearchRequest, sequence: number): Found {
    const { limit, offset, sort, customerId, ...rest } = request
    // Without a text, all customers find the same.
    const key = JSON.stringify(request.q === undefined ? rest : { ...rest, customerId })
    const known = results.get(key)
    if (known && (known.sequence === sequence || now() - known.at < reuseMs)) return known.found
    const found = find(request)
    results.set(key, { found, sequence, at: now() })
    return found
  }

  function order({ ids, text }: Found, sort: SearchSort, offset: number, limit: number): number[] {
    const { price, rank } = columns()
    const byRank = { column: rank, isDescending: true }
    if (sort === 'name') return orderByName(ids, columns().size, offset, limit)
    if (sort === 'relevance' && text) return orderByRelevance(text, ids, byRank, offset, limit)
    if (sort === 'relevance') return selectPage(ids, byRank, offset, limit)
    return selectPage(ids, sort === 'newest' ? null : { column: price, isDescending: sort === '-price' }, offset, limit)
  }

  return {
    search(request) {
      const found = findOrReuse(request, live.refresh())
      const { sort = 'relevance', offset, limit } = request
      const page = `${sort} ${offset} ${limit}`
      const ids = found.pages.get(page) ?? order(found, sort, offset, limit)
      if (found.pages.size < MAX_PAGES) found.pages.set(page, ids)
      return { ids, total: found.ids.length, facets: found.facets, corrected: found.text?.corrected ?? null }
    },
    suggest: (request) => suggest(request, live.refresh()),
  }
}
