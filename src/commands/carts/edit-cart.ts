import { Problem } from '../../errors.ts'
import { runExclusive } from '../../lifecycle/keyed-mutex.ts'
import { type CartRecord, replaceCartContents } from '../../storage/commerce/carts.ts'
import { transact } from '../../storage/transact.ts'
import type { AppliedWriteRecord } from '../applied-write-record.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import { assertCartEditable } from './assert-cart-editable.ts'
import { toCartTimes } from './cart-lifetime.ts'
import { requireCart } from './find-cart.ts'

/** Attempts against concurrent changes from other processes. Changes within this process run one after another. */
const MAX_ATTEMPTS = 20

/** The conditions of a change: the versions that it is meant for (`null`: any), and the request's idempotency marker. */
export interface CartEdit {
  ifMatch: string | null
  idempotency: AppliedWriteRecord | null
  /** Returns what the marker records besides the cart. */
  describeApplied?: () => object
}

/** A pure function, since it may be applied again to a newer cart. Returning the same cart means no change. */
export type CartChange = (cart: CartRecord) => CartRecord

/**
 * Changes a cart and returns the result. `prepare` may call upstream systems and returns the change; it runs outside the cart's lock. No
 * change is lost: changes within this process run one after another, and a change that another process overtook is applied again.
 */
export async function editCart(
  context: CustomerCommandContext,
  cartId: string,
  { ifMatch, idempotency, describeApplied }: CartEdit,
  prepare: (cart: CartRecord) => CartChange | Promise<CartChange>,
): Promise<CartRecord> {
  const { db, now } = context.commerce
  const initial = await requireCart(context, cartId)
  if (idempotency?.applied) return initial
  assertCartEditable(initial, now(), ifMatch)
  const change = await prepare(initial)
  return runExclusive(`edit ${initial.cart_id}`, async () => {
    let cart = initial
    for (let attempt = 1; ; attempt += 1) {
      const changed = change(cart)
      if (changed === cart) return cart
      const { now: updated_at, expiresAt: expires_at } = toCartTimes(now())
      const next = { ...changed, version: cart.version + 1, updated_at, expires_at }
      const isStored = await transact(db, async (transaction) => {
        const isReplaced = await replaceCartContents(transaction, next, cart.version)
        if (isReplaced) await idempotency?.recordApplied(transaction, { cart_id: cart.cart_id, ...describeApplied?.() })
        return isReplaced
      })
      if (isStored) return next
      if (attempt === MAX_ATTEMPTS) throw tooManyChanges()
      cart = await requireCart(context, cartId)
      assertCartEditable(cart, now(), ifMatch)
    }
  })
}

const tooManyChanges = () =>
  new Problem('overloaded', 'This cart has too many concurrent changes.', { headers: { 'Retry-After': '1' } })
