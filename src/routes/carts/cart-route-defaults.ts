import Type from 'typebox'
import type { CartEdit } from '../../commands/carts/edit-cart.ts'
import { Cart } from '../../contract/cart/cart.ts'
import type { ApiRequest, Route } from '../../http/route.ts'

export const CartParams = Type.Object({ cart_id: Type.String() })

/** The common settings of the routes of one cart. */
export const cartRouteDefaults = {
  tag: 'Carts',
  scope: 'storefront:cart',
  response: Cart,
  needsShopper: true,
  caching: 'none',
  sections: { required: ['cart'], optional: ['lines', 'availability', 'credit'] },
} as const satisfies Partial<Route>

/** Problems of every route that changes a cart. */
export const cartWriteProblems = ['cart_converted', 'cart_expired', 'cart_version_mismatch'] as const

/** `order_id` is the order that a `cart_converted` cart became. */
export const cartProblemMembers = { order_id: Type.String() }

/** The common settings of the routes that change a cart. */
export const cartWriteDefaults = {
  ...cartRouteDefaults,
  problems: cartWriteProblems,
  problemMembers: cartProblemMembers,
} as const satisfies Partial<Route>

export const toCartEdit = ({ ifMatch, idempotency }: Pick<ApiRequest, 'ifMatch' | 'idempotency'>): CartEdit => ({
  ifMatch,
  idempotency,
})
