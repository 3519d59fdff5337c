import type { AvailabilityBand } from '../availability-bands.ts'

/**
 * A page of the products that match, in order, as their ids in the mirror. `expiresInMs`: for how long it may be kept, because the catalog
 * has changed since some of it was read; `Infinity`: it is current.
 */
export interface SearchResult {
  ids: number[]
  total: number
  facets: FacetCounts
  /** The corrected text that was searched instead of `q`, because no product has the words of `q`. */
  corrected: string | null
  closest: ClosestResult | null
  expiresInMs: number
}

/** A search with fewer words, which finds products where the words of `q` find none. */
export interface ClosestResult {
  q: string
  /** The words of the first search that it does not have, as they were typed. */
  leftOut: string[]
  /** The number of products that it finds with the same filters. */
  total: number
}

export interface FacetCount<Value extends string = string> {
  value: Value
  count: number
}

/** Products from `from` (inclusive) to `to` (exclusive; `null`: without a limit). */
export interface PriceRange {
  from: number
  to: number | null
  count: number
}

/** Each facet is counted without its own filter. Values without a product are left out. */
export interface FacetCounts {
  brand?: FacetCount[]
  category?: FacetCount[]
  tag?: FacetCount[]
  availability?: FacetCount<AvailabilityBand>[]
  price?: PriceRange[]
}
