import { currencyDigits } from '../../contract/money.ts'
import type { Address } from '../../ports/customer.ts'
import type { DeliveryOption, OrderDelivery } from '../../ports/delivery.ts'
import type { LiveCallOptions } from '../../upstream/readers/run-live-call.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import { createInvalidInput } from '../create-invalid-input.ts'
import { addShipping } from './cart-totals.ts'
import type { LivePricing } from './live-pricing.ts'
import { readDeliveryOptions } from './read-delivery-options.ts'

/** A delivery option, and the pickup place if it has some. */
export interface DeliveryChoice {
  delivery_option_id?: string | undefined
  pickup_place_id?: string | undefined
}

/** The delivery that a cart was priced with. */
export interface PricedDelivery extends OrderDelivery {
  fulfillment_method: DeliveryOption['fulfillment_method']
}

/** Adds the chosen delivery, at its current price, to a pricing that has totals. Throws InvalidInput for a choice that is not offered. */
export async function addDelivery(
  context: CustomerCommandContext,
  pricing: LivePricing,
  choice: DeliveryChoice,
  { shippingAddress, live }: { shippingAddress: Address | null; live: LiveCallOptions },
): Promise<LivePricing> {
  if (!pricing.totals) return pricing
  const options = await readDeliveryOptions(context, pricing, shippingAddress, live)
  const option = chooseOption(options, choice)
  const totals = addShipping(pricing.totals, option, currencyDigits(context.merchant.currency))
  const { delivery_option_id, name, fulfillment_method } = option
  const pickup_place = choosePickupPlace(option, choice)
  const delivery = { delivery_option_id, name, fulfillment_method, pickup_place }
  return { ...pricing, totals, delivery }
}

function chooseOption(options: readonly DeliveryOption[], choice: DeliveryChoice): DeliveryOption {
  const { delivery_option_id } = choice
  if (delivery_option_id === undefined) {
    const message = 'A pickup place belongs to a delivery option: send its delivery_option_id too'
    throw createInvalidInput('missing', ['body', 'delivery_option_id'], message, choice)
  }
  const option = options.find((one) => one.delivery_option_id === delivery_option_id)
  if (option) return option
  const message =
    'This delivery option is not available for this cart. Send one from GET /v1/carts/{cart_id}/delivery-options'
  throw createInvalidInput('unknown_delivery_option', ['body', 'delivery_option_id'], message, choice)
}

function choosePickupPlace({ pickup_places }: DeliveryOption, choice: DeliveryChoice) {
  const { pickup_place_id } = choice
  const loc = ['body', 'pickup_place_id']
  if (pickup_place_id === undefined) {
    if (pickup_places.length === 0) return null
    throw createInvalidInput('missing', loc, 'Send one of the pickup_places of the delivery option', choice)
  }
  const place = pickup_places.find((one) => one.pickup_place_id === pickup_place_id)
  if (place) return place
  const message = 'The delivery option has no such pickup place. Send one of its pickup_places'
  throw createInvalidInput('unknown_pickup_place', loc, message, choice)
}
