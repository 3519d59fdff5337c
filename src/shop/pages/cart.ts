import { type Cart, ForecourtError } from '../../client/browser.ts'
import { account, shopper } from './api-and-account.ts'

/** Returns the shopper's cart, or null if there is none that can still be changed. */
export async function readCart(): Promise<Cart | null> {
  try {
    return await shopper.getCurrentCart()
  } catch (error) {
    if (error instanceof ForecourtError && error.status === 404) return null
    throw error
  }
}

export async function addToCart(sku: string, quantity: number): Promise<void> {
  const { cart_id } = (await readCart()) ?? (await shopper.createCart())
  await shopper.addCartLine({ cart_id, body: { sku, quantity } })
  dispatchEvent(new Event('shop:cart'))
}

/** A quantity of 0 removes the line. */
export async function changeLine(cart_id: string, line_id: string, quantity: number): Promise<void> {
  if (quantity > 0) await shopper.updateCartLine({ cart_id, line_id, body: { quantity } })
  else await shopper.deleteCartLine({ cart_id, line_id })
}

export async function countCartItems(): Promise<number> {
  const cart = account.isSignedIn ? await readCart().catch(() => null) : null
  return cart?.item_count ?? 0
}
