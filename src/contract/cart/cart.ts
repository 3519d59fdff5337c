import Type, { type Static } from 'typebox'
import { BandSchema } from '../catalog/availability.ts'
import { DecimalString, Money } from '../money.ts'
import { Nullable, Timestamp } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'
import { ChosenDelivery } from './delivery.ts'

const quantityRange = { exclusiveMinimum: 0, maximum: 999_999 }
const Quantity = Type.Number({ ...quantityRange, description: 'In the base stock unit, with at most three decimals' })
const OrderUom = Type.String({ minLength: 1, maxLength: 64, description: 'One of the order_uoms of the product' })
const OrderQuantity = Type.Number({
  ...quantityRange,
  description: 'In order_uom: order_quantity × factor = quantity; each follows from the other',
})

export const CartLineIn = Type.Object(
  {
    sku: Type.String({ minLength: 1, maxLength: 128 }),
    quantity: Type.Optional(Quantity),
    order_uom: Type.Optional(OrderUom),
    order_quantity: Type.Optional(OrderQuantity),
  },
  { $id: 'CartLineIn', description: 'quantity, or order_uom with order_quantity' },
)

export const CartLineUpdateIn = Type.Object(
  {
    quantity: Type.Optional(Quantity),
    order_uom: Type.Optional(OrderUom),
    order_quantity: Type.Optional(OrderQuantity),
  },
  { $id: 'CartLineUpdateIn', minProperties: 1, description: 'At least one member' },
)

export const PromoCodeIn = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: 64 }) },
  { $id: 'PromoCodeIn', description: 'As the shopper typed it' },
)

const NullableMoney = Nullable(Money)

export const CartLine = Type.Object(
  {
    line_id: Type.String(),
    sku: Type.String(),
    name: Type.String(),
    thumb_url: Nullable(Type.String({ format: 'uri' })),
    quantity: Type.Number({ description: 'In the base stock unit' }),
    uom: Type.String({ description: 'The base stock unit' }),
    order_uom: Nullable(Type.String({ description: 'The unit of sale that was ordered' })),
    order_quantity: Nullable(Type.Number({ description: 'In order_uom' })),
    band: Nullable(BandSchema),
    unit_price: NullableMoney,
    list_unit_price: NullableMoney,
    discount: NullableMoney,
    tax: NullableMoney,
    line_total: NullableMoney,
  },
  { $id: 'CartLine', description: 'Amounts are null until the cart is priced in its current state' },
)

export const TaxTotalSchema = Type.Object(
  {
    code: Type.String(),
    name: Type.String(),
    rate: DecimalString,
    base: Money,
    amount: Money,
  },
  { $id: 'TaxTotal' },
)

export const TotalsSchema = Type.Object(
  {
    subtotal: Money,
    discount_total: Money,
    tax_total: Money,
    shipping_total: Money,
    total: Money,
    taxes: Type.Array(TaxTotalSchema),
    tax_included: Type.Boolean({ description: 'True when prices, and so the subtotal, include the tax' }),
  },
  { $id: 'Totals' },
)

const reasons = [
  'UNKNOWN_CODE',
  'EXPIRED',
  'NOT_STARTED',
  'LIMIT_REACHED',
  'CUSTOMER_NOT_ELIGIBLE',
  'MINIMUM_NOT_MET',
  'NO_ELIGIBLE_LINES',
  'NOT_COMBINABLE',
] as const

export const CartPromotion = Type.Object(
  {
    code: Type.String(),
    status: Type.Enum(['APPLIED', 'NOT_APPLICABLE'], { $id: 'CartPromotionStatus' }),
    reason: Nullable(Type.Enum([...reasons], { $id: 'CartPromotionReason' })),
    description: Nullable(Type.String()),
    discount: Nullable(Money),
  },
  { $id: 'CartPromotion', description: 'A code that does not apply is returned once, in the response to its request' },
)

export const CreditPreview = Type.Object(
  {
    enabled: Type.Boolean(),
    would_exceed: Type.Boolean(),
    shortfall: Nullable(Money),
    available_credit: Nullable(Money),
    as_of: Timestamp,
  },
  {
    $id: 'CreditPreview',
    description:
      'Whether this total would be within the credit limit; checkout checks again. null: not priced, or not known',
  },
)

const codes = [
  'OUT_OF_STOCK',
  'LOW_STOCK',
  'BACKORDER',
  'DISCONTINUED',
  'PRICE_UNAVAILABLE',
  'PROMOTION_NOT_APPLICABLE',
] as const

export const CartWarning = Type.Object(
  { code: Type.Enum([...codes], { $id: 'CartWarningCode' }), line_id: Nullable(Type.String()), message: Type.String() },
  { $id: 'CartWarning', description: 'Never blocks a change, and never contains a stock count' },
)

export const Cart = Type.Object(
  {
    cart_id: Type.String(),
    state: Type.Enum(['ACTIVE', 'CONVERTED', 'EXPIRED'], { $id: 'CartState' }),
    version: Type.Integer({ description: 'Increases with every change; the value for If-Match' }),
    currency: Type.String(),
    lines: Type.Array(CartLine),
    item_count: Type.Integer({ description: 'The number of lines' }),
    promotions: Type.Array(CartPromotion),
    totals: Nullable(TotalsSchema, {
      description:
        'null: not priced since the last change, priced over 15 minutes ago, or a line has no price (the warning PRICE_UNAVAILABLE)',
    }),
    delivery: Nullable(ChosenDelivery, {
      description:
        'The delivery with which the cart was last priced. Checkout uses it unless the request names another',
    }),
    pricing: Type.Object(
      {
        state: Type.Enum(['UNPRICED', 'PRICED', 'STALE'], { $id: 'CartPricingState' }),
        priced_at: Nullable(Timestamp),
        expires_at: Nullable(Timestamp),
      },
      { $id: 'CartPricing' },
    ),
    credit: Nullable(CreditPreview),
    warnings: Type.Array(CartWarning),
    order_id: Nullable(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
    expires_at: Timestamp,
    errors: SectionErrors,
  },
  {
    $id: 'Cart',
    description:
      'In errors[], `lines` means names and pictures (a name falls back to the name when the line was added), `availability` means bands, and `credit` the credit preview.',
  },
)

export type Cart = Static<typeof Cart>
export type CartLine = Static<typeof CartLine>
export type CartWarning = Static<typeof CartWarning>
