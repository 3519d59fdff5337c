import type { Credit } from '../../ports/accounting.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import type { DeliveryChoice } from './add-delivery.ts'
import type { LivePricing, PricedCartLine } from './live-pricing.ts'

/** A cart shows its stored totals for this time. */
const VALIDITY_MS = 15 * 60_000

/** The pricing that is stored with a cart. */
export interface StoredCartPricing extends Pick<LivePricing, 'unpriced' | 'totals' | 'promotions' | 'delivery'> {
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
    ...(live.delivery && { delivery: live.delivery }),
    credit: credit && { enabled: credit.enabled, available_credit: credit.available_credit, as_of: credit.as_of },
  }
}

/** Returns the stored pricing if it is of the cart's current version and has not expired. A converted cart keeps its last pricing. */
export function findCurrentPricing(cart: CartRecord, now: number): StoredCartPricing | null {
  const pricing = cart.pricing as StoredCartPricing | null
  if (pricing?.version !== cart.version) return null
  return cart.state === 'CONVERTED' || pricing.expires_at > new Date(now).toISOString() ? pricing : null
}

/** Returns the choice of the delivery that a cart was last priced with, also in an earlier version; `null`: it was priced without one. */
export function toDeliveryChoice(cart: CartRecord): DeliveryChoice | null {
  const delivery = findPricedDelivery(cart)
  if (!delivery) return null
  return { delivery_option_id: delivery.delivery_option_id, pickup_place_id: delivery.pickup_place?.pickup_place_id }
}

/** Returns the delivery that a cart was last priced with. */
export const findPricedDelivery = (cart: CartRecord) => (cart.pricing as StoredCartPricing | null)?.delivery ?? null
