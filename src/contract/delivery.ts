import Type, { type Static } from 'typebox'
import { Money } from './money.ts'
import { SectionErrors } from './problem.ts'
import { Nullable } from './schema-parts.ts'

export const FulfillmentMethod = Type.Enum(['DELIVERY', 'PICKUP'], { $id: 'FulfillmentMethod' })

const Text = Nullable(Type.String())
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

export const OrderAddress = Type.Object(
  {
    line1: Type.String(),
    line2: Text,
    city: Type.String(),
    region: Text,
    postal_code: Text,
    country: Type.String({ description: 'ISO 3166-1 alpha-2' }),
  },
  { $id: 'Address' },
)

export const AddressIn = Type.Object(
  {
    line1: Type.String({ minLength: 1, maxLength: 300 }),
    line2: text(300),
    city: Type.String({ minLength: 1, maxLength: 120 }),
    region: text(120),
    postal_code: text(32),
    country: Type.String({
      pattern: '^[A-Z]{2}$',
      'x-pattern-message': 'Input should be a country code of two capital letters, such as JM',
      description: 'ISO 3166-1 alpha-2',
    }),
  },
  { $id: 'AddressIn' },
)
export type AddressIn = Static<typeof AddressIn>

export const ShippingAddressId = Type.String({
  maxLength: 128,
  description: 'One of the addresses of /v1/me, of the account or of an earlier order',
})
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
