import type { Tax } from '../../../ports/accounting.ts'
import type { Product } from '../../../ports/inventory.ts'
import type { Price } from '../../../ports/pricing.ts'
import type { StockAvailability } from '../../availability-bands.ts'
import type { ProductFitment } from '../vehicles/product-fitment.ts'

/** A number by which a product is found, beside its SKU, mpn and barcode. */
export interface ProductNumber {
  kind: 'OEM' | 'CROSS' | 'SUPERSEDES' | 'SUPERSEDED_BY' | 'CUSTOMER'
  brand: string | null
  number: string
  /** Set on a customer's own number. */
  customer_id: string | null
}

/** The mirror's row of one SKU. It contains neither a stock count nor a customer's price. */
export interface MirrorRow {
  sku: string
  /** Increases with each change of any row. */
  sequence: number
  /** The product's number in the order in which products were added: its id in the file. Absent: it becomes the last. */
  ordinal?: number
  /** Inactive products stay in the mirror, so that a catalog sync reports them. */
  product: Product
  /** The list price; `null`: it has none. A part that was not read yet is absent. */
  price?: Price | null
  /** RFC 3339: the price was current then; `null`: it is as current as the catalog's prices. */
  price_as_of: string | null
  tax?: Tax | null
  availability?: StockAvailability | null
  /** RFC 3339: the band was current then; `null`: it is as current as the catalog's stock. */
  stock_as_of: string | null
  references: readonly ProductNumber[]
  /** The vehicles that it fits. */
  vehicles: readonly number[]
  universal: boolean
  /** The same vehicles with their details; absent: there are no details. */
  fitment?: Pick<ProductFitment, 'universal' | 'details' | 'runs'>
  /** How often it is sold, as an integer from 0 to 65,535. Higher comes first. */
  popularity: number
}

/** The values of one SKU that no client sees and `updated_since` does not list, with the sequence number of their last change. */
export type PopularityAndTimeChange = Pick<MirrorRow, 'sku' | 'popularity' | 'price_as_of' | 'stock_as_of' | 'sequence'>

/** A product as reads of the mirror return it. */
export type MirrorProduct = Pick<
  MirrorRow,
  'product' | 'price' | 'price_as_of' | 'tax' | 'availability' | 'stock_as_of'
>

/** A product that has changed, with the sequence number of the change. */
export interface ChangedProduct extends MirrorProduct {
  sequence: number
}

/** Changed products in the order of their changes. */
export interface ChangedProductPage<Product = ChangedProduct> {
  products: Product[]
  /** `null`: the products after this page must be counted. */
  total: number | null
  has_more: boolean
}

/** The products that changed after a sequence number, as far as they are counted: counting all of a large catalog at once takes long. */
export interface ChangeCount {
  count: number
  /** Those up to this sequence number are counted; `null`: all are. */
  last: number | null
  /** The sequence number of the file when the count began. */
  sequence: number
}
