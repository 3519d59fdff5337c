/** A text that somebody is typing: the last word may be only the beginning of a word. */
export interface SuggestRequest {
  text: string
  /** The maximum length of each list. */
  limit: number
  /** The customer whose own numbers are suggested as well. */
  customerId?: string | null
  /** The catalog is being loaded. Such suggestions are not reused when it is complete. */
  isLoading?: boolean
}

/** The suggestions for a text. Each list has the best suggestion first. */
export interface Suggestions {
  products: ProductSuggestion[]
  categories: CategorySuggestion[]
  brands: BrandSuggestion[]
  vehicles: VehicleSuggestion[]
}

export interface ProductSuggestion {
  sku: string
  name: string
  slug: string
}

export interface CategorySuggestion {
  category_id: string
  name: string
  slug: string
  /** Its products and those of its descendants. */
  count: number
}

export interface BrandSuggestion {
  value: string
  count: number
}

/** A make, a model of a make, or a model of one year. */
export interface VehicleSuggestion {
  /** Set when only one vehicle has this year, make and model. */
  vehicle_id?: number
  /** `null`: every year. */
  year: number | null
  make: string
  /** `null`: every model. */
  model: string | null
  /** For example `2010 Toyota Camry`. */
  label: string
}
