import type { StockAvailability } from '../../catalog/availability-bands.ts'
import type { Tax } from '../../ports/accounting.ts'
import type { Product } from '../../ports/inventory.ts'
import type { Price } from '../../ports/pricing.ts'
import { type CachedValue, EVERYBODY } from '../read-stack/value-cache.ts'
import type { ItemCache } from './item-cache.ts'

/** A cached value with its time. `isServable`: shoppers get it without a call. */
export type PeekedValue<V> = CachedValue<V> & { isServable: boolean }

/** What this process has cached of a product for everybody; `null`: nothing. Looking calls no system and refreshes nothing. */
export interface CachePeek {
  product(sku: string): PeekedValue<Product> | null
  availability(sku: string): PeekedValue<StockAvailability> | null
  price(sku: string): PeekedValue<Price> | null
  tax(sku: string): PeekedValue<Tax> | null
}

export const createItemCachePeek = ({
  loader,
}: Pick<ItemCache, 'loader'>): Pick<CachePeek, 'product' | 'availability'> => ({
  product: (sku) => loader.peek(EVERYBODY, { part: 'product', sku }) as PeekedValue<Product> | null,
  availability: (sku) => loader.peek(EVERYBODY, { part: 'stock', sku }) as PeekedValue<StockAvailability> | null,
})
