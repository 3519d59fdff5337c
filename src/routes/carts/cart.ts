import Type from 'typebox'
import { currentPricing, type KeptCredit } from '../../commands/carts/price-cart.ts'
import { createCart, type Edit, foundCart } from '../../commands/carts/edit-cart.ts'
import { Cart } from '../../contract/cart.ts'
import type { Credit } from '../../ports/accounting.ts'
import type { QuotedPromotion } from '../../ports/pricing.ts'
import { column, fanOut, one, optional } from '../../sections/section.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import type { Filled } from '../../upstream/cached-loader.ts'
import { cartView } from './cart-view.ts'
import { placeOf } from '../to-command-context.ts'
import { type Answer, type Question, type Route, route } from '../../http/route.ts'

export const CartParams = Type.Object({ cart_id: Type.String() })

/** What all calls of a cart have in common. */
export const ofCarts = {
  tag: 'Carts',
  scope: 'storefront:cart',
  response: Cart,
  needsShopper: true,
  caching: 'none',
  sections: { required: ['cart'], optional: ['lines', 'availability', 'credit'] },
} as const satisfies Partial<Route>

/** Refusals of every call that changes a cart. */
export const notOpen = ['cart_converted', 'cart_expired', 'cart_version_mismatch'] as const

export const cartCreate = route({
  ...ofCarts,
  method: 'POST',
  path: '/v1/carts',
  operationId: 'createCart',
  summary: 'A new, empty cart',
  input: {},
  status: 201,
  idempotent: true,
  async answer(question) {
    const cart = await createCart(placeOf(question), question.once)
    const answer = await cartAnswer(question, cart)
    return { ...answer, status: 201, headers: { Location: `/v1/carts/${cart.cart_id}` } }
  },
})

export const cart = route({
  ...ofCarts,
  method: 'GET',
  path: '/v1/carts/:cart_id',
  operationId: 'getCart',
  summary: 'A cart as it is',
  input: { params: CartParams },
  async answer(question) {
    return cartAnswer(question, await foundCart(placeOf(question), question.params.cart_id))
  },
})

/** How a request wants its change made. */
export const editOf = ({ ifMatch, once }: Pick<Question, 'ifMatch' | 'once'>): Edit => ({ ifMatch, once })

type Asker = Pick<Question, 'office' | 'asking' | 'merchant' | 'commerce' | 'customerId'>

/** A cart with the sections beside it: from what is kept, as a rule, so that a cart costs one read of the store. */
export async function cartAnswer(
  { office, asking, merchant, commerce, customerId }: Asker,
  cart: CartRecord,
  { refused = null, credit }: { refused?: QuotedPromotion | null; credit?: Filled<Credit> } = {},
): Promise<Answer> {
  const skus = cart.lines.map(({ sku }) => sku)
  const products = office.products(skus, asking)
  const now = commerce.now()
  const pricing = currentPricing(cart, now)
  const kept: Filled<KeptCredit> = { value: pricing?.credit ?? null, error: null, asOf: now }
  const preview = !pricing?.totals || kept.value ? kept : (credit ?? office.account.credit(customerId!, asking))
  const { values, errors, traces } = await fanOut(asking, {
    lines: optional(products.then(column)),
    availability: optional(office.availability(skus, asking).then(column)),
    credit: optional(Promise.resolve<Filled<KeptCredit>>(preview).then(one)),
  })
  const known = (await products).map(({ value, error }) => (value === null && error ? undefined : value))
  const beside = { products: known, bands: values.availability, credit: values.credit, refused }
  return { body: { ...cartView(cart, beside, merchant.currency, now), errors }, errors, traces }
}
