import type { Credit } from '../../ports/accounting.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import { storeCartPricing } from '../../storage/commerce/carts.ts'
import { transact } from '../../storage/transact.ts'
import type { LoadResult } from '../../upstream/read-stack/cached-loader.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import { assertCartOpen, requireCart } from './find-cart.ts'
import { type LivePricing, type PricedCartLine, readLivePricing } from './live-pricing.ts'

/** A cart shows its stored totals for this time. */
const VALIDITY_MS = 15 * 60_000
/** Attempts to price a cart that other requests change meanwhile. */
const MAX_ATTEMPTS = 3

/** The pricing that is stored with a cart. */
export interface StoredCartPricing extends Pick<LivePricing, 'unpriced' | 'totals' | 'promotions'> {
  /** The version of the cart that was priced. */
  version: number
  priced_at: string
  expires_at: string
  /** This cart has had totals before. */
  complete_once: boolean
  lines: Omit<PricedCartLine, 'sku' | 'name' | 'quantity' | 'uom' | 'order_uom' | 'order_quantity'>[]
  /** The customer's credit, read in parallel; `null` if accounting failed. */
  credit: StoredCredit | null
}

export type StoredCredit = Pick<Credit, 'enabled' | 'available_credit' | 'as_of'>

/** Prices a cart live and stores the result. Rejects with UpstreamError and leaves the cart unchanged. */
export async function priceCart(
  context: CustomerCommandContext,
  cartId: string,
  ifMatch: string | null,
): Promise<{ cart: CartRecord; credit: LoadResult<Credit> }> {
  const { commerce, backOffice, requestScope, customerId } = context
  const creditLoad = backOffice.accounting.credit(customerId, requestScope)
  for (let attempt = 1; ; attempt += 1) {
    const cart = await requireCart(context, cartId)
    assertCartOpen(cart, commerce.now(), ifMatch)
    const live = await readLivePricing(context, cart, { requestScope, priority: 'cart' })
    const credit = await creditLoad
    const pricing = toStoredCartPricing(cart, live, credit.error ? null : credit.value, commerce.now())
    const { cart_id, version } = cart
    const isStored = await transact(commerce.db, (transaction) =>
      storeCartPricing(transaction, cart_id, version, pricing),
    )
    if (isStored) return { cart: { ...cart, pricing }, credit }
    if (attempt === MAX_ATTEMPTS) return { cart: await requireCart(context, cartId), credit }
  }
}

/** Converts a live pricing to the form that is stored with the cart. */
export function toStoredCartPricing(
  cart: Pick<CartRecord, 'version' | 'pricing'>,
  live: LivePricing,
  credit: StoredCredit | null,
  now: number,
): StoredCartPricing {
  const before = cart.pricing as StoredCartPricing | null
  return {
    version: cart.version,
    priced_at: new Date(now).toISOString(),
    expires_at: new Date(now + VALIDITY_MS).toISOString(),
    complete_once: live.totals !== null || (before?.complete_once ?? false),
    lines: live.lines.map(({ line_id, unit_price, list_unit_price, discount, tax, line_total }) => {
      return { line_id, unit_price, list_unit_price, discount, tax, line_total }
    }),
    unpriced: live.unpriced,
    totals: live.totals,
    promotions: live.promotions,
    credit: credit && { enabled: credit.enabled, available_credit: credit.available_credit, as_of: credit.as_of },
  }
}

/** Returns the stored pricing if it is of the cart's current version and has not expired. A converted cart keeps its last pricing. */
export function findCurrentPricing(cart: CartRecord, now: number): StoredCartPricing | null {
  const pricing = cart.pricing as StoredCartPricing | null
  if (pricing?.version !== cart.version) return null
  return cart.state === 'CONVERTED' || pricing.expires_at > new Date(now).toISOString() ? pricing : null
}
