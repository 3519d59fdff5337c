import type { Tax } from '../../ports/accounting.ts'
import type { Product } from '../../ports/inventory.ts'
import type { Price } from '../../ports/pricing.ts'
import type { StockAvailability } from '../availability-bands.ts'

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
  /** Inactive products stay in the mirror, so that a catalog sync reports them. */
  product: Product
  /** The list price. */
  price: Price | null
  tax: Tax | null
  availability: StockAvailability | null
  references: readonly ProductNumber[]
  /** The vehicles that it fits. */
  vehicles: readonly number[]
  universal: boolean
  /** Sales and the merchant's boosts as an integer from 0 to 65,535. Higher comes first. */
  popularity: number
}

/** A product as searches return it. */
export type MirrorProduct = Pick<MirrorRow, 'product' | 'price' | 'tax' | 'availability'>
