import type { Credit } from '../../ports/accounting.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import { storeCartPricing } from '../../storage/commerce/carts.ts'
import { transact } from '../../storage/transact.ts'
import type { LoadResult } from '../../upstream/cached-loader.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import { assertCartOpen, requireCart } from './edit-cart.ts'
import { type LivePricing, type PricedCartLine, readLivePricing } from './live-pricing.ts'

/** How long a cart shows the totals that it was given. */
const VALID_MS = 15 * 60_000
/** How often a cart that changes under its pricing is priced again. */
const TRIES = 3

/** What a pricing leaves in the cart. */
export interface StoredCartPricing extends Pick<LivePricing, 'unpriced' | 'totals' | 'promotions'> {
  /** Of the cart that it is of. */
  version: number
  priced_at: string
  expires_at: string
  /** Whether this cart ever had a total. */
  complete_once: boolean
  lines: Omit<PricedCartLine, 'sku' | 'name' | 'quantity' | 'uom' | 'order_uom' | 'order_quantity'>[]
  /** As the ledger gave it beside; `null` when it did not. */
  credit: StoredCredit | null
}

export type StoredCredit = Pick<Credit, 'enabled' | 'available_credit' | 'as_of'>

/** Prices a cart by what holds now, and keeps that. Rejects with UpstreamError, and the cart then stays as it was. */
export async function priceCart(
  place: CustomerCommandContext,
  cartId: string,
  ifMatch: string | null,
): Promise<{ cart: CartRecord; credit: LoadResult<Credit> }> {
  const { commerce, backOffice, requestScope, customerId } = place
  const preview = backOffice.accounting.credit(customerId, requestScope)
  for (let tries = 1; ; tries += 1) {
    const cart = await requireCart(place, cartId)
    assertCartOpen(cart, commerce.now(), ifMatch)
    const live = await readLivePricing(place, cart, { requestScope, priority: 'cart' })
    const credit = await preview
    const pricing = toStoredCartPricing(cart, live, credit.error ? null : credit.value, commerce.now())
    const { cart_id, version } = cart
    const kept = await transact(commerce.db, (transaction) => storeCartPricing(transaction, cart_id, version, pricing))
    if (kept) return { cart: { ...cart, pricing }, credit }
    if (tries === TRIES) return { cart: await requireCart(place, cartId), credit }
  }
}

/** A live pricing as `keepPricing` keeps it. */
export function toStoredCartPricing(
  cart: CartRecord,
  live: LivePricing,
  credit: StoredCredit | null,
  now: number,
): StoredCartPricing {
  const before = cart.pricing as StoredCartPricing | null
  return {
    version: cart.version,
    priced_at: new Date(now).toISOString(),
    expires_at: new Date(now + VALID_MS).toISOString(),
    complete_once: live.totals !== null || (before?.complete_once ?? false),
    lines: live.lines.map(({ line_id, unit_price, list_unit_price, discount, tax, line_total }) => {
      return { line_id, unit_price, list_unit_price, discount, tax, line_total }
    }),
    ...{ unpriced: live.unpriced, totals: live.totals, promotions: live.promotions },
    credit: credit && { enabled: credit.enabled, available_credit: credit.available_credit, as_of: credit.as_of },
  }
}

/** The pricing that a cart may show: of this very version, and not too old. A cart that was checked out keeps its last. */
export function findCurrentPricing(cart: CartRecord, now: number): StoredCartPricing | null {
  const pricing = cart.pricing as StoredCartPricing | null
  if (pricing?.version !== cart.version) return null
  return cart.state === 'CONVERTED' || pricing.expires_at > new Date(now).toISOString() ? pricing : null
}
