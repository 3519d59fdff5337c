import Type, { type Static } from 'typebox'
import { Nullable } from '../schema-parts.ts'

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
