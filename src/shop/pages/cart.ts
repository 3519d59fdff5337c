import { type Cart, type CartLineIn, ForecourtError } from '../../client/browser.ts'
import { account, callAccount } from './api-and-account.ts'
import { describeError, describeMistakes } from './notices.ts'

const GUEST_CART = 'shop-guest-cart'

export interface GuestLine {
  sku: string
  quantity: number
  /** Why it could not be added. */
  problem?: string
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

/** Adds lines, and returns those that could not be added, each with its problem. */
export async function addToCart(lines: readonly GuestLine[]): Promise<GuestLine[]> {
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
  const body: { lines: CartLineIn[] } = { lines: lines.map(({ sku, quantity }) => ({ sku, quantity })) }
  const { results = [] } = await callAccount('addCartLine', { cart_id, body })
  dispatchEvent(new Event('shop:cart'))
  return results
    .filter(({ errors }) => errors.length > 0)
    .map(({ index, errors }) => ({ ...lines[index]!, problem: describeMistakes(errors) }))
}

export const describeRefused = ({ sku, quantity, problem }: GuestLine) => `${sku} × ${quantity}: ${problem ?? ''}`

/** After the sign-in, the visitor's lines become the shopper's. Lines that cannot be added are kept, and returned. */
export async function mergeGuestCart(): Promise<GuestLine[]> {
  const lines = readGuestCart()
  if (lines.length === 0 || !account.isSignedIn) return []
  const kept = await addToCart(lines).catch((error) => {
    const problem = describeError(error)
    return lines.map((line) => ({ ...line, problem }))
  })
  storeGuestCart(kept)
  return kept
}

const waiting = new Map<string, number>()
let sending: Promise<void> | null = null

/** Sets the quantity of a line; 0 removes it. Changes are sent one after the other: of those that wait for one line, the latest counts. */
export function changeLine(cart: Cart, line_id: string, quantity: number): Promise<void> {
  waiting.delete(line_id)
  waiting.set(line_id, quantity)
  sending ??= sendChanges(cart).finally(() => {
    waiting.clear()
    sending = null
  })
  return sending
}

async function sendChanges({ cart_id, version }: Cart): Promise<void> {
  let ifMatch = version
  // Changes that are added meanwhile are sent too.
  for (const [line_id, quantity] of waiting) {
    waiting.delete(line_id)
    const send = () =>
      quantity > 0
        ? callAccount('updateCartLine', { cart_id, line_id, body: { quantity } }, { ifMatch })
        : callAccount('deleteCartLine', { cart_id, line_id }, { ifMatch })
    const changed = await send().catch(async (error) => {
      if (!(error instanceof ForecourtError && error.status === 412)) throw error
      ifMatch = (await readCart())?.version ?? ifMatch
      return send()
    })
    ifMatch = changed.version
  }
}

export async function countCartItems(): Promise<number> {
  if (!account.isSignedIn) return readGuestCart().length
  const cart = await readCart().catch(() => null)
  return account.isSignedIn ? (cart?.item_count ?? 0) : countCartItems()
}
