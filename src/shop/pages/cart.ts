import { type Cart, type CartLineIn, ForecourtError } from '../../client/browser.ts'
import { account, callAccount } from './forecourt.ts'

const GUEST_CART = 'shop-guest-cart'

export interface GuestLine {
  sku: string
  quantity: number
}

/** There are no carts without a shopper: a visitor's is kept in the browser until the sign-in. */
export const readGuestCart = (): GuestLine[] => JSON.parse(localStorage.getItem(GUEST_CART) ?? '[]')

export function storeGuestCart(lines: readonly GuestLine[]): void {
  localStorage.setItem(GUEST_CART, JSON.stringify(lines.filter(({ quantity }) => quantity > 0)))
  dispatchEvent(new Event('shop:cart'))
}

/** Returns the shopper's cart, or null if there is none that can still be changed. */
export async function readCart(): Promise<Cart | null> {
  try {
    return await callAccount('getCurrentCart')
  } catch (error) {
    if (error instanceof ForecourtError && error.status === 404) return null
    throw error
  }
}

/** Adds lines, and returns what could not be added and why. */
export async function addToCart(lines: readonly GuestLine[]): Promise<string[]> {
  if (!account.isSignedIn) {
    const kept = readGuestCart()
    for (const { sku, quantity } of lines) {
      const same = kept.find((line) => line.sku === sku)
      if (same) same.quantity += quantity
      else kept.push({ sku, quantity })
    }
    storeGuestCart(kept)
    return []
  }
  const { cart_id } = (await readCart()) ?? (await callAccount('createCart'))
  const body: { lines: CartLineIn[] } = { lines: [...lines] }
  const { results = [] } = await callAccount('addCartLine', { cart_id, body })
  dispatchEvent(new Event('shop:cart'))
  return results.flatMap(({ sku, errors }) => errors.map(({ msg }) => `${sku}: ${msg}`))
}

/** After the sign-in, the visitor's lines become the shopper's. */
export async function mergeGuestCart(): Promise<void> {
  const lines = readGuestCart()
  if (lines.length === 0) return
  await addToCart(lines)
  storeGuestCart([])
}

export async function countCartItems(): Promise<number> {
  if (!account.isSignedIn) return readGuestCart().length
  const cart = await readCart().catch(() => null)
  return cart?.item_count ?? 0
}
