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
