import type { DatabaseSync } from 'node:sqlite'
import type { SearchSettings } from '../../config/mirror-config.ts'
import { cacheBySequence, cacheByState, cacheFor } from './cache-by-version.ts'
import { createLiveColumns } from './columns/live-columns.ts'
import { readCategoryHierarchy } from './facets/category-hierarchy.ts'
import { toColumnFilters } from './facets/column-filters.ts'
import { countAndFilter, type Filtered } from './facets/count-and-filter.ts'
import { sumFacetCounts } from './facets/sum-facet-counts.ts'
import { createUnitedLists } from './match/cached-list-unions.ts'
import { createCategoryProducts } from './match/category-products.ts'
import { createNumberWithoutPrefixMatcher } from './match/match-number-without-prefix.ts'
import { createTextMatcher, type TextMatch } from './match/match-text.ts'
import { prepareSkuAndVehicleRestriction } from './match/restrict-to-skus-and-vehicle.ts'
import { createBoosts } from './order/boosts.ts'
import { createProductOrder } from './order/order-products.ts'
import { type CachedResult, createResultCache } from './result-cache.ts'
import { createReuseTracker } from './reuse-tracker.ts'
import type { SearchRequest } from './search-request.ts'
import type { ClosestResult, FacetCounts, SearchResult } from './search-result.ts'
import { createSuggester } from './suggest/suggester.ts'
import type { Suggestions, SuggestRequest } from './suggest/suggestion-types.ts'
import { readParentCategoryNames } from './words/parent-category-names.ts'
import { readSpelling } from './words/spelling.ts'
import { createSynonyms } from './words/synonyms.ts'
import { readVehicleWords } from './words/vehicle-words.ts'
import { createWordCompletion } from './words/word-completion.ts'
import { createWordIndex } from './words/word-index.ts'

/** Suggestions, and for how long they may be kept. */
export type SuggestionResult = Suggestions & { expiresInMs: number }

export interface SearchEngine {
  /** Reads the products, or the changes, part by part until `isOver`. Returns whether the next search has nothing more to read. */
  refresh(isOver: () => boolean): boolean
  /** Discards everything that was derived from older products. Otherwise the words of a mirror that was being filled would be used for a while. */
  forgetOlderValues(): void
  search(request: SearchRequest): SearchResult
  /** Completes a text that somebody is typing. */
  suggest(request: SuggestRequest): SuggestionResult
}

interface Found extends Filtered {
  /** Pages of the ids, by their order and range. */
  pages: Map<string, number[]>
  text: TextMatch | null
  facets: FacetCounts
  closest: ClosestResult | null
}

export interface SearchEngineOptions extends SearchSettings {
  /** The memory for the products of each word, and for results that are requested again. */
  cacheBytes?: number
  /** For how long a result may be reused after the catalog has changed. */
  reuseMs?: number
  /** For how long suggestions may be reused after the catalog has changed. */
  suggestReuseMs?: number
  now?: () => number
}

/** Reading all words of a catalog, or how its numbers begin, takes a while. */
const SLOW_READ_TTL_MS = 60_000
const MAX_SUGGESTIONS = 5_000
const MAX_TYPED = 300
/** The maximum number of pages that are cached with a result. */
const MAX_PAGES = 32

/** Creates the search of one mirror. It belongs to one thread, and reads the changes of the file before each search. */
export function createSearchEngine(database: DatabaseSync, options: SearchEngineOptions = {}): SearchEngine {
  const {
    cacheBytes = 96 * 1_024 * 1_024,
    reuseMs = 500,
    suggestReuseMs = 30_000,
    boosts = [],
    synonyms: synonymGroups = [],
    now = () => performance.now(),
  } = options
  const tracker = createReuseTracker(now)
  const synonyms = createSynonyms(synonymGroups)
  const suggestReuse = tracker.during(suggestReuseMs)
  const tree = cacheByState(database, 'categories', readCategoryHierarchy)
  const live = createLiveColumns(database, (values) => createBoosts(boosts, values, tree))
  const columns = () => live.columns
  const vehicles = cacheByState(database, 'vehicles', readVehicleWords)
  const sequence = () => live.sequence
  const names = cacheBySequence(sequence, cacheByState(database, 'categories', readParentCategoryNames))
  const slowReuse = tracker.during(SLOW_READ_TTL_MS)
  const spelling = cacheFor(slowReuse, () => readSpelling(database, [...vehicles().keys, ...names().words], synonyms))
  const reuse = tracker.during(reuseMs)
  const words = createWordIndex(database, { cacheBytes: Math.ceil(cacheBytes / 2), reuse })
  const productsOf = createCategoryProducts({
    columns,
    tree,
    sequence,
    cacheBytes: Math.ceil(cacheBytes / 8),
    reuse,
  })
  const completion = cacheByState(database, 'words', createWordCompletion, suggestReuse)
  const matchDigits = createNumberWithoutPrefixMatcher(database, slowReuse)
  const shared = { database, words, columns, vehicles, completion, synonyms, spelling }
  const united = createUnitedLists(Math.ceil(cacheBytes / 8))
  const text = createTextMatcher({ ...shared, names, productsOf, united, matchDigits })
  const candidates = prepareSkuAndVehicleRestriction(database, words)
  const order = createProductOrder(database, columns)
  const suggest = createSuggester({ ...shared, tree, reuse: suggestReuse, search: listFirst })
  const results = createResultCache<Found>({
    tracker,
    reuseMs,
    now,
    limits: { maxSize: Math.ceil(cacheBytes / 4), sizeOf: ({ ids }, key) => ids.byteLength + key.length + 4_096 },
  })
  const suggestions = createResultCache<Suggestions>({
    tracker,
    reuseMs: suggestReuseMs,
    now,
    limits: { max: MAX_SUGGESTIONS },
  })

  function filter(request: SearchRequest, matches: Uint32Array | null): Filtered {
    const chosen = candidates(request, matches, columns())
    const filters = toColumnFilters(request, columns(), tree())
    return countAndFilter(columns(), chosen, filters, request.facets ?? [])
  }

  /** For a text that has no matches, whatever the filters. */
  function findClosest(request: SearchRequest & { q: string }): ClosestResult | null {
    for (const { text: q, leftOut, match } of text.findClosest(request.q)) {
      const total = filter({ ...request, facets: [] }, match.ids).ids.length
      if (total > 0) return { q, leftOut, total }
    }
    return null
  }

  function find(request: SearchRequest): Found {
    const { q, customerId = null } = request
    const match = q === undefined ? null : text.match(q, customerId)
    const { ids, counts } = filter(request, match?.ids ?? null)
    return {
      ids,
      counts,
      text: match,
      pages: new Map(),
      facets: sumFacetCounts(columns(), counts, tree()),
      closest: q !== undefined && match?.ids.length === 0 ? findClosest({ ...request, q }) : null,
    }
  }

  function listFirst({ text: q, limit, customerId = null }: SuggestRequest): number[] {
    const match = text.match(q, customerId)
    const { ids } = filter({ limit, offset: 0 }, match.ids)
    return order({ ids, text: match }, { sort: 'relevance', offset: 0, limit })
  }

  function findOrReuse(request: SearchRequest, sequence: number): CachedResult<Found> {
    const { limit, offset, sort, customerId, ...rest } = request
    // Without a text, all customers find the same.
    const key = JSON.stringify(request.q === undefined ? rest : { ...rest, customerId })
    return results(key, sequence, () => find(request))
  }

  return {
    refresh: live.refresh,
    forgetOlderValues: tracker.forget,
    search(request) {
      live.refresh()
      const { value: found, until } = findOrReuse(request, live.sequence)
      const { sort = 'relevance', offset, limit } = request
      const page = `${sort} ${offset} ${limit}`
      const ids = found.pages.get(page) ?? order(found, { sort, offset, limit })
      if (found.pages.size < MAX_PAGES) found.pages.set(page, ids)
      const corrected = found.text?.corrected ?? null
      const { facets, closest } = found
      return { ids, total: found.ids.length, facets, corrected, closest, expiresInMs: until - now() }
    },
    suggest({ text, limit, customerId = null, isLoading = false }) {
      const request = { text: text.slice(0, MAX_TYPED), limit, customerId }
      live.refresh()
      const key = JSON.stringify({ ...request, isLoading })
      const { value, until } = suggestions(key, live.sequence, () => suggest(request))
      return { ...value, expiresInMs: until - now() }
    },
  }
}
