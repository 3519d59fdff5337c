import { Problem } from '../../errors.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import { isCartExpired } from './cart-lifetime.ts'

/** Throws when the cart can no longer be changed, or when `ifMatch` names another version of it. */
export function assertCartEditable(cart: CartRecord, now: number, ifMatch: string | null = null): void {
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
