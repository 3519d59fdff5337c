import { Problem } from '../../errors.ts'
import { runExclusive } from '../../lifecycle/keyed-mutex.ts'
import {
  type CartKey,
  type CartRecord,
  findCart,
  insertCart,
  replaceCartContents,
} from '../../storage/commerce/carts.ts'
import type { Database } from '../../storage/database.ts'
import { transact } from '../../storage/transact.ts'
import type { CustomerCommandContext } from '../command-context.ts'

/** A cart that nobody changes for so long is over. */
const LIFE_MS = 30 * 86_400_000
/** How often a change is tried against those of other processes; in this one they wait for their turn. */
const TRIES = 20

/** What a request says of its change: the versions it is meant for (`null`: any), and whether it was made before. */
export interface CartEdit {
  ifMatch: string | null
  once: { readonly applied: unknown; mark(transaction: Database, applied: unknown): Promise<void> } | null
}

/** Pure: it may be made again on a newer cart. A change that gives back the same cart is none. */
export type CartChange = (cart: CartRecord) => CartRecord

/** A new, empty cart; or the one that this request made before. */
export async function createCart(place: CustomerCommandContext, once: CartEdit['once']): Promise<CartRecord> {
  if (once?.applied) return requireCart(place, (once.applied as { cart_id: string }).cart_id)
  const { cart_id: _, ...owner } = toCartKey(place, '')
  return transact(place.commerce.db, async (transaction) => {
    const cart = await insertCart(transaction, owner, timesAt(place.commerce.now()))
    await once?.mark(transaction, { cart_id: cart.cart_id })
    return cart
  })
}

/**
 * Changes a cart; the answer is the cart as it then is. `prepare` may ask other systems, and gives the change that follows: nobody waits for
 * it. No change is lost: those of this process are made one after the other, and one that another process was faster than is made again.
 */
export async function editCart(
  place: CustomerCommandContext,
  cartId: string,
  { ifMatch, once }: CartEdit,
  prepare: (cart: CartRecord) => CartChange | Promise<CartChange>,
): Promise<CartRecord> {
  const { db, now } = place.commerce
  const seen = await requireCart(place, cartId)
  if (once?.applied) return seen
  assertCartOpen(seen, now(), ifMatch)
  const change = await prepare(seen)
  return runExclusive(`edit ${seen.cart_id}`, async () => {
    let cart = seen
    for (let tries = 1; ; tries += 1) {
      const changed = change(cart)
      if (changed === cart) return cart
      const { now: updated_at, expiresAt: expires_at } = timesAt(now())
      const next = { ...changed, version: cart.version + 1, updated_at, expires_at }
      const swapped = await transact(db, async (transaction) => {
        const done = await replaceCartContents(transaction, next, cart.version)
        if (done) await once?.mark(transaction, { cart_id: cart.cart_id })
        return done
      })
      if (swapped) return next
      if (tries === TRIES) throw tooMany()
      cart = await requireCart(place, cartId)
      assertCartOpen(cart, now(), ifMatch)
    }
  })
}

const tooMany = () =>
  new Problem('overloaded', 'Too many changes of this cart at once.', { headers: { 'Retry-After': '1' } })

/** Throws `not_found` for what is absent and for what is another's, without a difference. */
export async function requireCart(place: CustomerCommandContext, cartId: string): Promise<CartRecord> {
  const cart = await findCart(place.commerce.db, toCartKey(place, cartId))
  if (!cart) throw new Problem('not_found')
  return cart
}

/** Throws when this cart takes no change, or not this one. */
export function assertCartOpen(cart: CartRecord, now: number, ifMatch: string | null = null): void {
  if (cart.state === 'CONVERTED') throw new Problem('cart_converted')
  if (cart.order_id !== null)
    throw new Problem('cart_converted', 'This cart is being checked out.', { headers: { 'Retry-After': '1' } })
  if (isCartExpired(cart, now)) throw new Problem('cart_expired')
  if (ifMatch !== null && !namesVersion(ifMatch, cart.version)) throw new Problem('cart_version_mismatch')
}

/** A cart expires by the clock; one that is bound to an order does not. */
export const isCartExpired = (cart: CartRecord, now: number): boolean =>
  cart.state === 'EXPIRED' ||
  (cart.state === 'ACTIVE' && cart.order_id === null && cart.expires_at <= new Date(now).toISOString())

/** `7`, `"7"`, a list of them, or `*`. */
function namesVersion(ifMatch: string, version: number): boolean {
  const named = ifMatch.split(',').map((tag) =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/^"(.*)"$/, '$1'),
  )
  return named.includes('*') || named.includes(String(version))
}

export const toCartKey = ({ tenantId, mode, customerId }: CustomerCommandContext, cartId: string): CartKey => ({
  ...{ tenant_id: tenantId, mode, customer_id: customerId, cart_id: cartId },
})

const timesAt = (now: number) => ({
  now: new Date(now).toISOString(),
  expiresAt: new Date(now + LIFE_MS).toISOString(),
})
