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
  if (ifMatch !== null) assertVersion(ifMatch, cart.version)
}

/** Accepts `7`, `"7"`, a list of them, or `*`. */
function assertVersion(ifMatch: string, version: number): void {
  const versions = ifMatch.split(',').map((tag) =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/^"(.*)"$/, '$1'),
  )
  if (versions.includes('*') || versions.includes(String(version))) return
  if (versions.some((one) => /^\d+$/.test(one))) throw new Problem('cart_version_mismatch')
  throw new Problem(
    'cart_version_mismatch',
    `If-Match has no version of a cart. Send the version of the cart that you read, such as "${version}", not an ETag.`,
  )
}
