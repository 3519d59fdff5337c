import type { Credit } from '../../ports/accounting.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import { storeCartPricing } from '../../storage/commerce/carts.ts'
import { transact } from '../../storage/transact.ts'
import type { LoadResult } from '../../upstream/read-stack/cached-loader.ts'
import type { AddressChoice } from '../addresses/find-shipping-address.ts'
import { readShippingAddress } from '../addresses/find-shipping-address.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import { addDelivery, type DeliveryChoice } from './add-delivery.ts'
import { assertCartEditable } from './assert-cart-editable.ts'
import { requireCart } from './find-cart.ts'
import { type LivePricing, readLivePricing } from './live-pricing.ts'
import { findPricedDelivery, toDeliveryChoice, toStoredCartPricing } from './stored-cart-pricing.ts'

/** Attempts to price a cart that other requests change meanwhile. */
const MAX_ATTEMPTS = 3

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
    return { ...goods, delivery: isSameChoice(choice, toDeliveryChoice(cart)) ? findPricedDelivery(cart) : null }
  return addDelivery(context, goods, choice, { shippingAddress, live: { requestScope, priority: 'cart' } })
}

const isSameChoice = (one: DeliveryChoice, other: DeliveryChoice | null) =>
  one.delivery_option_id === other?.delivery_option_id && one.pickup_place_id === other?.pickup_place_id
