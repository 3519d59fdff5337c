/** A text that a shopper is typing. Its last word may be incomplete. */
export interface SuggestRequest {
  text: string
  /** The maximum number of products; the other kinds have fewer. */
  limit: number
}

/** What a text may become, the best first. */
export interface Suggestions {
  products: { sku: string; name: string; slug: string }[]
  categories: { category_id: string; name: string; slug: string; count: number }[]
  brands: { value: string; count: number }[]
  vehicles: { label: string; year: number | null; make: string; model: string | null }[]
}
