import { customers } from '../../../fixtures/customers.ts'
import { listPriceOf, priceChangedHoursAgo, priceLists, priceOnListOf } from '../../../fixtures/prices.ts'
import { generateProducts } from '../../../fixtures/products.ts'
import { promotions } from '../../../fixtures/promotions.ts'
import type { DocumentSeed } from '../storage/document-store.ts'
import { wholeHourBefore } from '../storage/whole-hour-before.ts'

/** The pricing system's documents: list prices by SKU, price lists with their entries, each customer's list, and promotions. */
export function pricingSeed(now: Date): DocumentSeed {
  const priced = generateProducts().flatMap((product) => {
    const price = listPriceOf(product)
    return price ? [{ product, price }] : []
  })
  return {
    prices: priced.map(
      ({ product, price }) =>
        [
          product.sku,
          { uom: product.units[0]!.uom, ...price, updated_at: wholeHourBefore(now, priceChangedHoursAgo(product)) },
        ] as const,
    ),
    lists: priceLists.map((list) => {
      const entries = priced.flatMap(({ product, price }) => {
        const listed = priceOnListOf(list, product, price)
        return listed ? [[product.sku, listed] as const] : []
      })
      return [list.price_list_id, { name: list.name, fallback: list.fallback, entries }] as const
    }),
    customers: customers.map(({ customer_id, price_list_id }) => [customer_id, { price_list_id }] as const),
    promotions: promotions.map((promotion) => [promotion.code, promotion] as const),
  }
}
