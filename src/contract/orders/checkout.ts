import Type, { type Static } from 'typebox'
import { CreditPreview, TotalsSchema } from '../cart/cart.ts'
import { DeliveryOptionId, FulfillmentMethod, PickupPlaceId } from '../cart/delivery.ts'
import { Money } from '../money.ts'
import { Day, Nullable, Timestamp } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'
import { AddressIn, ShippingAddressId } from '../shoppers/address.ts'
import { PaymentMethodSchema } from '../shoppers/me.ts'
import { OrderCore, PaymentStatusSchema } from './order.ts'

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

export const CheckoutIn = Type.Object(
  {
    cart_id: Type.String({ maxLength: 64 }),
    payment_method: Type.Optional(PaymentMethodSchema),
    fulfillment_method: Type.Optional(FulfillmentMethod),
    delivery_option_id: Type.Optional(DeliveryOptionId),
    pickup_place_id: Type.Optional(PickupPlaceId),
    shipping_address: Type.Optional(AddressIn),
    shipping_address_id: Type.Optional(ShippingAddressId),
    billing_address: Type.Optional(AddressIn),
    po_number: text(128),
    notes: text(4_000),
    contact: Type.Optional(Type.Object({ name: text(200), phone: text(64), email: text(320) }, { $id: 'ContactIn' })),
    requested_date: Type.Optional(Day),
    expected_total: Type.Optional(
      Type.Object(
        {
          amount: Type.String({
            pattern: '^\\d{1,15}(\\.\\d{1,6})?$',
            'x-pattern-message': 'Input should be an amount as text, such as "1234.50"',
          }),
          currency: Type.String({ minLength: 3, maxLength: 3 }),
        },
        {
          $id: 'ExpectedTotal',
          description: 'The total that the shopper saw: if the order would cost more, nothing is ordered',
        },
      ),
    ),
  },
  {
    $id: 'CheckoutIn',
    description:
      'Omitted members are taken from the account, and the delivery from the last pricing of the cart. payment_method is CREDIT_TERMS by default, when the account has them',
  },
)
export type CheckoutIn = Static<typeof CheckoutIn>

export const creditRemedies = ['REDUCE_ORDER', 'PAY_BALANCE', 'CHOOSE_CASH_ON_DELIVERY'] as const

export const CheckoutResult = Type.Object(
  {
    state: Type.Enum(['placed', 'over_credit_limit', 'processing'], {
      $id: 'CheckoutState',
      description:
        'over_credit_limit: nothing was ordered, and the cart is unchanged. processing: the accounting system has not responded yet; read the order until it is CONFIRMED or REJECTED.',
    }),
    cart_id: Type.String(),
    order_id: Nullable(Type.String()),
    order_number: Nullable(Type.String()),
    order: Nullable(OrderCore),
    totals: TotalsSchema,
    shortfall: Nullable(Money),
    credit: Nullable(CreditPreview),
    remedies: Type.Array(Type.Enum([...creditRemedies], { $id: 'CreditRemedy' })),
    payment: Nullable(
      Type.Object({ status: PaymentStatusSchema, session_id: Nullable(Type.String()) }, { $id: 'CheckoutPayment' }),
    ),
  },
  { $id: 'CheckoutResult' },
)
export type CheckoutResult = Static<typeof CheckoutResult>

export const CheckoutPaymentStatus = Type.Object(
  {
    order_id: Type.String(),
    session_id: Nullable(Type.String()),
    status: PaymentStatusSchema,
    amount_due: Money,
    amount_paid: Money,
    redirect_url: Nullable(Type.String({ format: 'uri' })),
    expires_at: Nullable(Timestamp),
    updated_at: Timestamp,
    poll_after_seconds: Nullable(Type.Integer({ description: 'null: the status is final' })),
    terminal: Type.Boolean(),
    errors: SectionErrors,
  },
  { $id: 'CheckoutPaymentStatus' },
)
