import type { StockAvailability } from '../../catalog/availability-bands.ts'
import type { Product } from '../../ports/inventory.ts'

/** An item at this moment; `null`: the inventory has no record of that part. */
export interface LiveItem {
  product: Product | null
  banded: StockAvailability | null
}
