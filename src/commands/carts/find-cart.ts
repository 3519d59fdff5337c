import { createNotFound } from '../../errors.ts'
import { type CartKey, type CartRecord, findCart } from '../../storage/commerce/carts.ts'
import { type CustomerCommandContext, toCustomerKey } from '../command-context.ts'

/** Returns a customer's cart. Throws `not_found` for an unknown cart and for another customer's alike. */
export async function requireCart(context: CustomerCommandContext, cartId: string): Promise<CartRecord> {
  const cart = await findCart(context.commerce.db, toCartKey(context, cartId))
  if (!cart) throw createNotFound('cart')
  return cart
}

export const toCartKey = (context: CustomerCommandContext, cartId: string): CartKey => ({
  ...toCustomerKey(context),
  cart_id: cartId,
})
