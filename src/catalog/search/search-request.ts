import type { AvailabilityBand } from '../availability-bands.ts'

export type SearchSort = 'relevance' | 'name' | 'price' | '-price' | 'newest'
export const FACETS = ['brand', 'category', 'tag', 'availability', 'price'] as const
export type SearchFacet = (typeof FACETS)[number]

/** A search of one catalog. Values of one filter mean any of them; filters mean all of them. */
export interface SearchRequest {
  q?: string
  /** Category ids or slugs, with their descendants. */
  categories?: readonly string[]
  tags?: readonly string[]
  /** Compared without case and accents. */
  brands?: readonly string[]
  bands?: readonly AvailabilityBand[]
  /** Inclusive, in the merchant's currency. A product without a list price is outside of every range. */
  minPrice?: number
  maxPrice?: number
  skus?: readonly string[]
  vehicleId?: number
  /** The customer whose own numbers match as well. */
  customerId?: string | null
  sort?: SearchSort
  facets?: readonly SearchFacet[]
  limit: number
  offset: number
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
