import { createNotFound, Problem } from '../../errors.ts'
import { type CartKey, type CartRecord, findCart } from '../../storage/commerce/carts.ts'
import { type CustomerCommandContext, toCustomerKey } from '../command-context.ts'
import { isCartExpired } from './cart-lifetime.ts'

/** Returns a customer's cart. Throws `not_found` for an unknown cart and for another customer's alike. */
export async function requireCart(context: CustomerCommandContext, cartId: string): Promise<CartRecord> {
  const cart = await findCart(context.commerce.db, toCartKey(context, cartId))
  if (!cart) throw createNotFound('cart')
  return cart
}

/** Throws when the cart can no longer be changed, or when `ifMatch` names another version of it. */
export function assertCartOpen(cart: CartRecord, now: number, ifMatch: string | null = null): void {
  if (cart.state === 'CONVERTED')
    throw new Problem('cart_converted', undefined, { members: { order_id: cart.order_id } })
  if (cart.order_id !== null)
    throw new Problem('cart_converted', 'This cart is being checked out.', { headers: { 'Retry-After': '1' } })
  if (isCartExpired(cart, now)) throw new Problem('cart_expired')
  if (ifMatch !== null && !includesVersion(ifMatch, cart.version)) throw new Problem('cart_version_mismatch')
}

/** Accepts `7`, `"7"`, a list of them, or `*`. */
function includesVersion(ifMatch: string, version: number): boolean {
  const versions = ifMatch.split(',').map((tag) =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/^"(.*)"$/, '$1'),
  )
  return versions.includes('*') || versions.includes(String(version))
}

export const toCartKey = (context: CustomerCommandContext, cartId: string): CartKey => ({
  ...toCustomerKey(context),
  cart_id: cartId,
})
