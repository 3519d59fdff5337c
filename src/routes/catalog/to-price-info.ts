import type { ProductListItem } from '../../contract/catalog/product.ts'
import type { Price } from '../../ports/pricing.ts'

/** Returns a price as responses show it, member by member. */
export function toPriceInfo(price: Price, currency: string): ProductListItem['price'] {
  return {
    amount: price.amount,
    currency,
    price_type: price.price_type,
    list_amount: price.list_amount,
    tax_included: price.tax_included,
    uom: price.uom,
    breaks: price.breaks,
    as_of: price.as_of,
  }
}
