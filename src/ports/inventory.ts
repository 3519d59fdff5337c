import type { Call } from './call.ts'
import type { ChangePage, ChangeQuery, ChangeTimestamp } from './change-feed.ts'
import type { Picture } from './picture.ts'
import type { Fitment, SkuFitments } from './sku-fitments.ts'
import type { PageRange, Vehicle, VehicleFacetQuery, VehicleFacetValue } from './vehicle.ts'

/** A picture of a product. Both URLs are absolute and serve WebP: the system's own, or those of `MerchantFacts.pictureUrls`. */
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

/** A unit that a product may be ordered in: `factor` base units each, at least `min`, in steps of `increment` (decimal strings in this unit). */
export interface OrderUnit {
  uom: string
  factor: string
  min: string
  increment: string
}

/** What variants of the same product have in common. It cannot be bought itself. */
export interface VariantParent {
  parent_id: string
  name: string
}

/** What distinguishes a variant from the others of its parent: `Size`, `5 l`. */
export interface VariantOption {
  name: string
  value: string
}

export const MAX_VARIANT_OPTIONS = 20

export interface Product {
  sku: string
  name: string
  slug: string
  description: string | null
  brand: string | null
  mpn: string | null
  barcode: string | null
  /** `null` when the adapter cannot read media from the system. */
  media: ProductMedia[] | null
  categories: ProductCategory[]
  tags: string[]
  /** The base stock unit. */
  uom: string
  order_uoms: OrderUnit[]
  /** Absent: it is no variant. */
  variant_of?: VariantParent | undefined
  /** In the order in which shoppers see them: at most MAX_VARIANT_OPTIONS. Absent: there are none. */
  options?: VariantOption[] | undefined
  active: boolean
  /** RFC 3339, UTC. */
  updated_at: string
}

/** The stock of a SKU at one place where shoppers can get it. */
export interface BranchStock {
  branch_id: string
  name: string
  /** Free quantity in the base unit; may be negative. */
  available: number
}

/** The stock of a SKU. It never leaves the program: storefronts see only its availability band. */
export interface Stock {
  /** Free quantity in the base unit (on hand less reserved); may be negative. */
  available: number
  /** Open receipts, in any order; a past date means overdue. `date` is YYYY-MM-DD. */
  expected: { date: string; quantity: number }[]
  /** Nobody counts it: a service, or goods that are not stored. It can always be sold, and the other members have no effect. */
  untracked?: boolean | undefined
  /** Says whether it may be ordered while it is out of stock. Without a policy, it may be when a receipt is expected. */
  sell_when_out?: boolean | undefined
  /** YYYY-MM-DD: the day when it is in stock again, for a product whose receipts do not say so. */
  expected_on?: string | undefined
  /** Where it is, in the order in which shoppers see the branches; absent: the system does not say. At most MAX_BRANCHES count. */
  branches?: BranchStock[] | undefined
}

export const MAX_BRANCHES = 100

export interface StockChange extends ChangeTimestamp {
  sku: string
  stock: Stock
}

/** The parts of an item to read. An adapter reads both in one request when its system can. */
export interface ItemParts {
  product: boolean
  stock: boolean
}

/** The parts of one SKU. A part that was not requested is absent; `null`: the system does not know the part for this SKU. */
export interface InventoryItem {
  sku: string
  product?: Product | null
  stock?: Stock | null
}

export interface ProductQuery {
  /** Words that must all occur in sku, name, brand, mpn, barcode or description, compared without case and accents. */
  q?: string
  /** A category_id or slug; includes its descendants. */
  category?: string
  tag?: string
  vehicle_id?: number
  /** Only these SKUs: at most MAX_PARTS_PER_VEHICLE of ports/fitment.ts. */
  skus?: readonly string[]
  /** RFC 3339, UTC, inclusive. With it, the page includes inactive products and is in the order (updated_at, sku). */
  updated_since?: string
  limit: number
  offset: number
  /** Only with `updated_since`: see `ChangeQuery`. */
  cursor?: string | undefined
}

export interface ItemPage {
  items: InventoryItem[]
  /** The number of matching items; `null` when the system does not know it. */
  total: number | null
  has_more: boolean
  /** Only with `updated_since`: see `ChangePage`. */
  next_cursor?: string | undefined
}

export interface Category {
  category_id: string
  name: string
  slug: string
  parent_id: string | null
  position: number
  /** Active products in it and its descendants; `null` when the system does not know it. */
  product_count: number | null
}

export interface Tag {
  tag: string
  name: string
  count: number | null
}

/** A page of the parts of a vehicle, including universal ones, which are marked. `vehicle` is `null` when it does not exist. */
export interface VehicleItems extends ItemPage {
  vehicle: Vehicle | null
  items: (InventoryItem & { fitment: Fitment & { universal: boolean } })[]
}

/** Receives the SKUs of a page as soon as the system has named them, while their parts are still being read. */
export type SkuListener = (skus: readonly string[]) => void

/**
 * The port of the system that holds products and stock.
 * A back office may hold a SKU twice: an adapter chooses one record for each SKU (the active one, then the oldest) and always uses that one.
 * Every method rejects only with UpstreamError. A call to an optional method that is absent fails with `not_configured`.
 */
export interface InventoryPort {
  /** The maximum number of SKUs in one call of `items`. */
  readonly maxSkus: number
  /** The time in seconds by which a change may become visible after its change time (long transactions, whole-second clocks). The sync watermark steps back by as much. */
  readonly watermarkOverlapSeconds: number
  /** Returns a page of the matching products, with the requested parts. */
  search(query: ProductQuery, parts: ItemParts, call: Call, onSkus?: SkuListener): Promise<ItemPage>
  /** Returns the parts of each SKU. Omits unknown SKUs; includes inactive products with `active: false`. */
  items(skus: readonly string[], parts: ItemParts, call: Call): Promise<InventoryItem[]>
  categories(call: Call): Promise<Category[]>
  tags?(call: Call): Promise<Tag[]>
  vehicleFacet?(query: VehicleFacetQuery, call: Call): Promise<VehicleFacetValue[]>
  vehicleItems?(vehicleId: number, page: PageRange, parts: ItemParts, call: Call): Promise<VehicleItems>
  fitments?(sku: string, page: PageRange, call: Call): Promise<SkuFitments | null>
  /** The change feed of stock and open receipts, with the current stock. Without it, stock is polled SKU by SKU. */
  stockChanges?(query: ChangeQuery, call: Call): Promise<ChangePage<StockChange>>
  /** Returns the current original of a picture that was passed to `MerchantFacts.pictureUrls`, or `null` when no product has it any more. */
  picture?(source: string, call: Call): Promise<Picture | null>
}
