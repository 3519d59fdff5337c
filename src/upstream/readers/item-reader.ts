import type { StockAvailability } from '../../catalog/availability-bands.ts'
import type { Product } from '../../ports/inventory.ts'
import type { LoadResult } from '../read-stack/cached-loader.ts'
import { EVERYBODY } from '../read-stack/value-cache.ts'
import type { RequestScope } from '../request/request-scope.ts'
import type { ItemCache, ItemPart } from './item-cache.ts'
import { withoutPastEta } from './without-past-eta.ts'

export interface ItemReadOptions {
  /** For a cart: also asks the inventory about products that the catalog mirror lacks, has withdrawn, or has not confirmed lately. */
  forCart?: boolean
}

/** Products and availability by SKU. */
export interface ItemReader {
  products(skus: readonly string[], scope: RequestScope, options?: ItemReadOptions): Promise<LoadResult<Product>[]>
  availability(
    skus: readonly string[],
    scope: RequestScope,
    options?: ItemReadOptions,
  ): Promise<LoadResult<StockAvailability>[]>
}

const partsOf = (part: ItemPart['part'], skus: readonly string[]) => skus.map((sku): ItemPart => ({ part, sku }))

/** `today`: YYYY-MM-DD where the merchant is. */
export function createItemReader({ loader }: Pick<ItemCache, 'loader'>, today: () => string): ItemReader {
  return {
    async products(skus, scope) {
      const results = await loader.load(EVERYBODY, partsOf('product', skus), scope)
      return results as LoadResult<Product>[]
    },
    async availability(skus, scope) {
      const day = today()
      const results = await loader.load(EVERYBODY, partsOf('stock', skus), scope)
      return (results as LoadResult<StockAvailability>[]).map((result) => withoutPastEta(result, day))
    },
  }
}
