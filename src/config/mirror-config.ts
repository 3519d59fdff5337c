/** The catalog mirror of a merchant. */
export interface MirrorConfig extends SearchSettings {
  /** Older reads of the mirror are marked as stale. */
  maxAgeMs: number
}

/** What a merchant sets for the search of a mirror. */
export interface SearchSettings {
  boosts?: readonly BoostConfig[]
  /** Groups of words and phrases that find the same products. */
  synonyms?: readonly (readonly string[])[]
}

/** Raises the products of a brand, category or tag in lists by relevance, or lowers them if `boost` is negative. */
export interface BoostConfig {
  field: 'brand' | 'category' | 'tag'
  /** A brand, the id or slug of a category, or a tag. */
  value: string
  /** A whole number: each step counts like twice as many orders. */
  boost: number
}
