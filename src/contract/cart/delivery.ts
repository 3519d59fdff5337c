import Type, { type Static } from 'typebox'
import { Money } from '../money.ts'
import { Nullable } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'
import { OrderAddress } from '../shoppers/address.ts'

export const FulfillmentMethod = Type.Enum(['DELIVERY', 'PICKUP'], { $id: 'FulfillmentMethod' })

export const DeliveryOptionId = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'One of GET /v1/carts/{cart_id}/delivery-options',
})
export const PickupPlaceId = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'One of the pickup_places of the delivery option. Required if it has some',
})

export const PickupPlaceSchema = Type.Object(
  {
    pickup_place_id: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String({ description: 'Such as the opening hours' })),
    address: Nullable(OrderAddress),
  },
  { $id: 'PickupPlace' },
)

export const ChosenDelivery = Type.Object(
  { delivery_option_id: Type.String(), name: Type.String(), pickup_place: Nullable(PickupPlaceSchema) },
  { $id: 'ChosenDelivery', description: 'The chosen delivery. Its price is shipping_total in the totals' },
)
export type ChosenDelivery = Static<typeof ChosenDelivery>

export const DeliveryOptionSchema = Type.Object(
  {
    delivery_option_id: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String({ description: 'Such as how long it takes' })),
    fulfillment_method: FulfillmentMethod,
    price: Money,
    tax_included: Type.Boolean({ description: 'True when price includes the tax' }),
    pickup_places: Type.Array(PickupPlaceSchema),
  },
  { $id: 'DeliveryOption' },
)

export const DeliveryOptionList = Type.Object(
  {
    cart_id: Type.String(),
    delivery_options: Nullable(Type.Array(DeliveryOptionSchema), {
      description: 'Empty: none, or a line of the cart has no price. null: not known now, see errors',
    }),
    errors: SectionErrors,
  },
  { $id: 'DeliveryOptionList' },
)
