import type { DeliveryOption, OrderDelivery, PickupPlace } from '../../ports/delivery.ts'
import { toMoney } from '../money.ts'
import { toAddressView } from '../shoppers/to-address-view.ts'
import type { ChosenDelivery } from './delivery.ts'

/** Lists members one by one, so that no other upstream data gets into a response. */
export function toDeliveryView(delivery: OrderDelivery | null | undefined): ChosenDelivery | null {
  if (!delivery) return null
  const { delivery_option_id, name, pickup_place } = delivery
  return { delivery_option_id, name, pickup_place: pickup_place && toPickupPlaceView(pickup_place) }
}

export function toDeliveryOptionView(option: DeliveryOption, currency: string, tax_included: boolean) {
  const { delivery_option_id, name, description, fulfillment_method, price, pickup_places } = option
  return {
    delivery_option_id,
    name,
    description,
    fulfillment_method,
    price: toMoney(price, currency),
    tax_included,
    pickup_places: pickup_places.map(toPickupPlaceView),
  }
}

const toPickupPlaceView = ({ pickup_place_id, name, description, address }: PickupPlace) => ({
  pickup_place_id,
  name,
  description,
  address: toAddressView(address),
})
