import type { CartRecord } from '../storage/commerce/carts.ts'
import { findLastPriceInCart } from './find-last-price-in-cart.ts'

/** Returns the open cart that was priced with a product last; `null`: none was. */
export function findLastPricedCart(carts: readonly CartRecord[], sku: string): { cart: CartRecord; at: string } | null {
  const priced = carts.flatMap((cart) => {
    const found = findLastPriceInCart(cart, sku)
    return found.state === 'priced' ? [{ cart, at: found.at }] : []
  })
  return priced.toSorted((one, other) => (one.at < other.at ? 1 : -1))[0] ?? null
}
