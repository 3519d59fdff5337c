import type { Credit } from '../../ports/accounting.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import { keepPricing } from '../../storage/commerce/carts.ts'
import { transact } from '../../storage/transact.ts'
import type { Filled } from '../../upstream/cached-loader.ts'
import type { CustomerPlace } from '../command-context.ts'
import { foundCart, mustBeOpen } from './edit-cart.ts'
import { type LivePricing, type PricedLine, priceLive } from './live-pricing.ts'

/** How long a cart shows the totals that it was given. */
const VALID_MS = 15 * 60_000
/** How often a cart that changes under its pricing is priced again. */
const TRIES = 3

/** What a pricing leaves in the cart. */
export interface KeptPricing extends Pick<LivePricing, 'unpriced' | 'totals' | 'promotions'> {
  /** Of the cart that it is of. */
  version: number
  priced_at: string
  expires_at: string
  /** Whether this cart ever had a total. */
  complete_once: boolean
  lines: Omit<PricedLine, 'sku' | 'name' | 'quantity' | 'uom' | 'order_uom' | 'order_quantity'>[]
  /** As the ledger gave it beside; `null` when it did not. */
  credit: KeptCredit | null
}

export type KeptCredit = Pick<Credit, 'enabled' | 'available_credit' | 'as_of'>

/** Prices a cart by what holds now, and keeps that. Rejects with UpstreamError, and the cart then stays as it was. */
export async function priceCart(
  place: CustomerPlace,
  cartId: string,
  ifMatch: string | null,
): Promise<{ cart: CartRecord; credit: Filled<Credit> }> {
  const { commerce, office, asking, customerId } = place
  const preview = office.account.credit(customerId, asking)
  for (let tries = 1; ; tries += 1) {
    const cart = await foundCart(place, cartId)
    mustBeOpen(cart, commerce.now(), ifMatch)
    const live = await priceLive(place, cart, { asking, priority: 'cart' })
    const credit = await preview
    const pricing = keptPricing(cart, live, credit.error ? null : credit.value, commerce.now())
    const { cart_id, version } = cart
    const kept = await transact(commerce.db, (transaction) => keepPricing(transaction, cart_id, version, pricing))
    if (kept) return { cart: { ...cart, pricing }, credit }
    if (tries === TRIES) return { cart: await foundCart(place, cartId), credit }
  }
}

/** A live pricing as `keepPricing` keeps it. */
export function keptPricing(cart: CartRecord, live: LivePricing, credit: KeptCredit | null, now: number): KeptPricing {
  const before = cart.pricing as KeptPricing | null
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
export function currentPricing(cart: CartRecord, now: number): KeptPricing | null {
  const pricing = cart.pricing as KeptPricing | null
  if (pricing?.version !== cart.version) return null
  return cart.state === 'CONVERTED' || pricing.expires_at > new Date(now).toISOString() ? pricing : null
}
