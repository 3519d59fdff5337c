import Type from 'typebox'
import { Nullable, Timestamp } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'

/** How a shopper may pay. */
export const PaymentMethodSchema = Type.Enum(['CREDIT_TERMS', 'CASH_ON_DELIVERY'], { $id: 'PaymentMethod' })

export const CustomerAddressSchema = Type.Object(
  {
    address_id: Type.String(),
    is_default: Type.Boolean(),
    line1: Type.String(),
    line2: Nullable(Type.String()),
    city: Type.String(),
    region: Nullable(Type.String()),
    postal_code: Nullable(Type.String()),
    country: Type.String({ description: 'ISO 3166-1 alpha-2' }),
    source: Type.Enum(['ACCOUNT', 'ORDER'], {
      description:
        'ORDER: not in the account; one of the last orders was sent there. Checkout accepts its address_id too',
    }),
  },
  { $id: 'CustomerAddress' },
)

export const Me = Type.Object(
  {
    customer_id: Type.String(),
    account_number: Nullable(Type.String()),
    email: Type.String(),
    first_name: Nullable(Type.String()),
    last_name: Nullable(Type.String()),
    company: Nullable(Type.String()),
    phone: Nullable(Type.String()),
    customer_type: Type.Enum(['BUSINESS', 'INDIVIDUAL'], { $id: 'CustomerType' }),
    status: Type.Enum(['ACTIVE', 'ON_HOLD'], { $id: 'CustomerStatus' }),
    currency: Type.String(),
    payment_methods: Type.Array(PaymentMethodSchema),
    addresses: Type.Array(CustomerAddressSchema),
    created_at: Nullable(Timestamp),
    errors: SectionErrors,
  },
  { $id: 'Me', description: 'The customer of the shopper token, from the accounting system' },
)
