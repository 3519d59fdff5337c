import type { Call } from './call.ts'
import type { ChangePage, ChangeQuery, ChangeTimestamp } from './change-feed.ts'
import type { Picture } from './picture.ts'

/** A picture of a product. Both addresses are absolute and answer WebP: the system's own, or those of `MerchantFacts.pictureUrls`. */
export interface ProductMedia {
  media_id: string
  position: number
  alt: string | null
  kind: 'IMAGE'
  width: number | null
  height: number | null
  thumb_url: string
  large_url: string
}

export interface ProductCategory {
  category_id: string
  name: string
  slug: string
}

/** A unit that a product may be ordered in: `factor` base units each, at least `min`, in steps of `increment` (in that unit; decimal strings). */
export interface OrderUnit {
  uom: string
  factor: string
  min: string
  increment: string
}

export interface Product {
  sku: string
  name: string
  slug: string
  description: string | null
  brand: string | null
  mpn: string | null
  barcode: string | null
  /** `null` where the system keeps no media that this adapter can read. */
  media: ProductMedia[] | null
  categories: ProductCategory[]
  tags: string[]
  /** The base stock unit. */
  uom: string
  order_uoms: OrderUnit[]
  active: boolean
  /** RFC 3339, UTC. */
  updated_at: string
}

/** What decides a band. It never leaves the program: `catalog/bands.ts` turns it into a band where it arrives. */
export interface Stock {
  /** Free quantity in the base unit (on hand less reserved); may be negative. */
  available: number
  /** Open receipts, any order; a date in the past is an overdue one. `date` is YYYY-MM-DD. */
  expected: { date: string; quantity: number }[]
}

export interface StockChange extends ChangeTimestamp {
  sku: string
  stock: Stock
}

/** Which parts of an item a reader wants; an adapter fetches both in one exchange where its system can. */
export interface ItemParts {
  product: boolean
  stock: boolean
}

/** One SKU's parts. A part that was not asked for is absent; `null` is a part that the system does not have for this SKU. */
export interface InventoryItem {
  sku: string
  product?: Product | null
  stock?: Stock | null
}

export interface ProductQuery {
  /** Words, all of which must occur in sku, name, brand, mpn, barcode or description, whatever their case or accents. */
  q?: string
  /** A category_id or slug, its descendants included. */
  category?: string
  tag?: string
  vehicle_id?: number
  /** Of these SKUs alone: up to MOST_PARTS of ports/fitment.ts. */
  skus?: readonly string[]
  /** RFC 3339, UTC, inclusive. When given: deactivated products come too, and the order is (updated_at, sku). */
  updated_since?: string
  limit: number
  offset: number
}

export interface ItemPage {
  items: InventoryItem[]
  /** All that match, or `null` when the system cannot say. */
  total: number | null
  has_more: boolean
}

export interface Category {
  category_id: string
  name: string
  slug: string
  parent_id: string | null
  position: number
  /** Active products in it and below it; `null` when the system cannot say. */
  product_count: number | null
}

export interface Tag {
  tag: string
  name: string
  count: number | null
}

export interface Vehicle {
  vehicle_id: number
  year: number
  make: string
  model: string
  submodel: string | null
  engine: string | null
  market: string
}

export interface Fitment {
  positions: string[]
  quantity: number | null
  notes: string | null
  qualifiers: { code: string; text: string }[]
}

export interface VehicleFacetValue {
  value: string
  label: string
  count: number
  /** On models alone. */
  vehicle_id?: number
  variants?: { vehicle_id: number; submodel: string | null; engine: string | null }[]
}

export type VehicleFacetQuery =
  | { facet: 'year'; market?: string }
  | { facet: 'make'; market?: string; year: number }
  | { facet: 'model'; market?: string; year: number; make: string }

export interface PageRange {
  limit: number
  offset: number
}

/** Universal parts come too, marked. `null` vehicle: there is none with that id. */
export interface VehicleItems extends ItemPage {
  vehicle: Vehicle | null
  items: (InventoryItem & { fitment: Fitment & { universal: boolean } })[]
}

/** `null` from the port: there is no such SKU. */
export interface SkuFitments {
  universal: boolean
  fitments: (Vehicle & Fitment)[]
  total: number | null
  has_more: boolean
}

/**
 * What Forecourt asks of the system that knows products and stock.
 * SKUs may be doubled in a back office: an adapter settles on one record for each SKU (the active one, then the oldest) and keeps to it.
 * Every method rejects with UpstreamError alone. An optional method that is absent answers `not_configured`.
 */
/** Told which SKUs will be on a page as soon as the system has named them, while they are still being read. */
export type SkuListener = (skus: readonly string[]) => void

export interface InventoryPort {
  /** The most SKUs that `items` takes in one call. */
  readonly maxSkus: number
  /** Seconds that the system's change times may lag behind their becoming visible (long transactions, whole-second clocks); the sync watermark steps back by as much. */
  readonly watermarkOverlapSeconds: number
  /** A page of the products that match, each with the parts asked for. */
  search(query: ProductQuery, parts: ItemParts, call: Call, coming?: SkuListener): Promise<ItemPage>
  /** The parts of each SKU; unknown SKUs are left out. Deactivated products are answered with `active: false`. */
  items(skus: readonly string[], parts: ItemParts, call: Call): Promise<InventoryItem[]>
  categories(call: Call): Promise<Category[]>
  tags?(call: Call): Promise<Tag[]>
  vehicleFacet?(query: VehicleFacetQuery, call: Call): Promise<VehicleFacetValue[]>
  vehicleItems?(vehicleId: number, page: PageRange, parts: ItemParts, call: Call): Promise<VehicleItems>
  fitments?(sku: string, page: PageRange, call: Call): Promise<SkuFitments | null>
  /** SKUs whose stock moved, or whose open receipts did, with what it is now. Without it stock is looked at in turns. */
  stockChanges?(query: ChangeQuery, call: Call): Promise<ChangePage<StockChange>>
  /** The original of a picture that was given to `MerchantFacts.pictureUrls`, as it is now; `null`: there is none any more, or it is no product's. */
  picture?(source: string, call: Call): Promise<Picture | null>
}
