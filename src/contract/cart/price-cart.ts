import Type from 'typebox'
import { AddressIn, ShippingAddressId } from '../shoppers/address.ts'
import { DeliveryOptionId, PickupPlaceId } from './delivery.ts'

export const PriceCartIn = Type.Object(
  {
    delivery_option_id: Type.Optional(DeliveryOptionId),
    pickup_place_id: Type.Optional(PickupPlaceId),
    shipping_address: Type.Optional(AddressIn),
    shipping_address_id: Type.Optional(ShippingAddressId),
  },
  {
    $id: 'PriceCartIn',
    description: 'The delivery to price the cart with; without one, its price is not in the totals',
  },
)
