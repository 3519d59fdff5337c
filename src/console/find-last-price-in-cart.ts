import type { StoredCartPricing } from '../commands/carts/stored-cart-pricing.ts'
import type { CartRecord } from '../storage/commerce/carts.ts'

/** What the last pricing of a cart says of one product: it had a price and a tax for this customer, or lacked one of them, or did not ask for the product. */
export type LastPriceInCart =
  | { state: 'priced'; at: string; unitPrice: string; uom: string }
  | { state: 'unpriced'; at: string }
  | { state: 'unknown' }

/** Reads it of the stored pricing, in which a line that was added later is missing. */
export function findLastPriceInCart({ lines, pricing }: CartRecord, sku: string): LastPriceInCart {
  const last = pricing as StoredCartPricing | null
  const uoms = new Map(lines.filter((line) => line.sku === sku).map(({ line_id, uom }) => [line_id, uom]))
  const priced = last?.lines?.find(({ line_id }) => uoms.has(line_id))
  if (last && priced)
    return { state: 'priced', at: last.priced_at, unitPrice: priced.unit_price, uom: uoms.get(priced.line_id)! }
  return last?.unpriced?.includes(sku) ? { state: 'unpriced', at: last.priced_at } : { state: 'unknown' }
}
