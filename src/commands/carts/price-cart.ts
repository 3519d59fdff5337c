import type { Credit } from '../../ports/accounting.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import { storeCartPricing } from '../../storage/commerce/carts.ts'
import { transact } from '../../storage/transact.ts'
import type { LoadResult } from '../../upstream/read-stack/cached-loader.ts'
import type { AddressChoice } from '../addresses/find-shipping-address.ts'
import { readShippingAddress } from '../addresses/find-shipping-address.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import { assertCartEditable } from './assert-cart-editable.ts'
import { addDelivery, type DeliveryChoice } from './cart-delivery.ts'
import { requireCart } from './find-cart.ts'
import { type LivePricing, type PricedCartLine, readLivePricing } from './live-pricing.ts'

/** A cart shows its stored totals for this time. */
const VALIDITY_MS = 15 * 60_000
/** Attempts to price a cart that other requests change meanwhile. */
const MAX_ATTEMPTS = 3

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

/** Prices a cart live and stores the result. Rejects with UpstreamError and leaves the cart unchanged. */
export async function priceCart(
  context: CustomerCommandContext,
  cartId: string,
  { ifMatch, delivery = {} }: { ifMatch: string | null; delivery?: DeliveryChoice & AddressChoice },
): Promise<{ cart: CartRecord; credit: LoadResult<Credit> }> {
  const { commerce, backOffice, requestScope, customerId } = context
  const creditLoad = backOffice.accounting.credit(customerId, requestScope)
  for (let attempt = 1; ; attempt += 1) {
    const cart = await requireCart(context, cartId)
    assertCartEditable(cart, commerce.now(), ifMatch)
    const goods = await readLivePricing(context, cart, { requestScope, priority: 'cart' })
    const live = await addChosenDelivery(context, cart, goods, delivery)
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

/** Adds the delivery that a request names, if it names one. While a line has no price, the same delivery is kept from the pricing before. */
async function addChosenDelivery(
  context: CustomerCommandContext,
  cart: CartRecord,
  goods: LivePricing,
  choice: DeliveryChoice & AddressChoice,
): Promise<LivePricing> {
  if (choice.delivery_option_id === undefined && choice.pickup_place_id === undefined) return goods
  const { requestScope } = context
  const shippingAddress = await readShippingAddress(context, choice)
  if (!goods.totals)
    return { ...goods, delivery: isSameChoice(choice, toDeliveryChoice(cart)) ? findDelivery(cart) : null }
  return addDelivery(context, goods, choice, { shippingAddress, live: { requestScope, priority: 'cart' } })
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

/** Returns the delivery that a cart was last priced with, also in an earlier version; `null`: it was priced without one. */
export function toDeliveryChoice(cart: CartRecord): DeliveryChoice | null {
  const delivery = findDelivery(cart)
  if (!delivery) return null
  return { delivery_option_id: delivery.delivery_option_id, pickup_place_id: delivery.pickup_place?.pickup_place_id }
}

const findDelivery = (cart: CartRecord) => (cart.pricing as StoredCartPricing | null)?.delivery ?? null

const isSameChoice = (one: DeliveryChoice, other: DeliveryChoice | null) =>
  one.delivery_option_id === other?.delivery_option_id && one.pickup_place_id === other?.pickup_place_id
