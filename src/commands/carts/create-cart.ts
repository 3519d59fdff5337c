import { type CartRecord, insertCart } from '../../storage/commerce/carts.ts'
import { transact } from '../../storage/transact.ts'
import { type CustomerCommandContext, toCustomerKey } from '../command-context.ts'
import { toCartTimes } from './cart-lifetime.ts'
import type { CartChange, CartEdit } from './edit-cart.ts'
import { requireCart } from './find-cart.ts'

/** Creates a cart, empty or filled, or returns the one that this request created before. */
export async function createCart(
  context: CustomerCommandContext,
  { idempotency, describeApplied }: Pick<CartEdit, 'idempotency' | 'describeApplied'>,
  fill?: CartChange,
): Promise<CartRecord> {
  if (idempotency?.applied) return requireCart(context, (idempotency.applied as { cart_id: string }).cart_id)
  return transact(context.commerce.db, async (transaction) => {
    const cart = await insertCart(transaction, toCustomerKey(context), toCartTimes(context.commerce.now()), fill)
    await idempotency?.recordApplied(transaction, { cart_id: cart.cart_id, ...describeApplied?.() })
    return cart
  })
}
