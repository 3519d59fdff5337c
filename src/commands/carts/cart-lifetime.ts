import type { CartRecord } from '../../storage/commerce/carts.ts'

/** An unchanged cart expires after this time. */
const LIFETIME_MS = 30 * 86_400_000

/** Returns the times of a cart that is written now: that of the write, and its expiry. */
export const toCartTimes = (now: number) => ({
  now: new Date(now).toISOString(),
  expiresAt: new Date(now + LIFETIME_MS).toISOString(),
})

/** Returns whether a cart has expired. A cart that is bound to an order does not expire. */
export const isCartExpired = (cart: CartRecord, now: number): boolean =>
  cart.state === 'EXPIRED' ||
  (cart.state === 'ACTIVE' && cart.order_id === null && cart.expires_at <= new Date(now).toISOString())
