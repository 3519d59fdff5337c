import Type, { type Static } from 'typebox'
import { Money } from '../money.ts'
import { Pagination } from '../pagination.ts'
import { Nullable } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'
import { Cart } from './cart.ts'

const { cart_id, version, currency, item_count, pricing, created_at, updated_at, expires_at } = Cart.properties

export const CartItem = Type.Object(
  {
    cart_id,
    state: Type.Literal('ACTIVE'),
    version,
    currency,
    item_count,
    total: Nullable(Money, { description: 'null until the cart is priced in its current state' }),
    pricing,
    created_at,
    updated_at,
    expires_at,
  },
  { $id: 'CartItem', description: 'A cart without its lines' },
)
export type CartItem = Static<typeof CartItem>

export const CartList = Type.Object(
  { data: Type.Array(CartItem), pagination: Pagination, errors: SectionErrors },
  { $id: 'CartList' },
)
