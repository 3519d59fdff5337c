import Type from 'typebox'
import { type CartEdit, createCart, requireCart } from '../../commands/carts/edit-cart.ts'
import { findCurrentPricing, type StoredCredit } from '../../commands/carts/price-cart.ts'
import { Cart } from '../../contract/cart.ts'
import { type ApiRequest, type ApiResponse, defineRoute, type Route } from '../../http/route.ts'
import type { Credit } from '../../ports/accounting.ts'
import type { QuotedPromotion } from '../../ports/pricing.ts'
import { columnSection, fanOut, optional, valueSection } from '../../sections/section.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import type { LoadResult } from '../../upstream/cached-loader.ts'
import { toCustomerCommandContext } from '../to-command-context.ts'
import { toCartView } from './cart-view.ts'

export const CartParams = Type.Object({ cart_id: Type.String() })

/** What all calls of a cart have in common. */
export const cartRouteDefaults = {
  tag: 'Carts',
  scope: 'storefront:cart',
  response: Cart,
  needsShopper: true,
  caching: 'none',
  sections: { required: ['cart'], optional: ['lines', 'availability', 'credit'] },
} as const satisfies Partial<Route>

/** Refusals of every call that changes a cart. */
export const cartWriteProblems = ['cart_converted', 'cart_expired', 'cart_version_mismatch'] as const

export const createCartRoute = defineRoute({
  ...cartRouteDefaults,
  method: 'POST',
  path: '/v1/carts',
  operationId: 'createCart',
  summary: 'A new, empty cart',
  input: {},
  status: 201,
  idempotent: true,
  async answer(question) {
    const cart = await createCart(toCustomerCommandContext(question), question.once)
    const answer = await buildCartResponse(question, cart)
    return { ...answer, status: 201, headers: { Location: `/v1/carts/${cart.cart_id}` } }
  },
})

export const getCartRoute = defineRoute({
  ...cartRouteDefaults,
  method: 'GET',
  path: '/v1/carts/:cart_id',
  operationId: 'getCart',
  summary: 'A cart as it is',
  input: { params: CartParams },
  async answer(question) {
    return buildCartResponse(question, await requireCart(toCustomerCommandContext(question), question.params.cart_id))
  },
})

/** How a request wants its change made. */
export const toCartEdit = ({ ifMatch, once }: Pick<ApiRequest, 'ifMatch' | 'once'>): CartEdit => ({ ifMatch, once })

type Asker = Pick<ApiRequest, 'backOffice' | 'requestScope' | 'merchant' | 'commerce' | 'customerId'>

/** A cart with the sections beside it: from what is kept, as a rule, so that a cart costs one read of the store. */
export async function buildCartResponse(
  { backOffice, requestScope, merchant, commerce, customerId }: Asker,
  cart: CartRecord,
  { refused = null, credit }: { refused?: QuotedPromotion | null; credit?: LoadResult<Credit> } = {},
): Promise<ApiResponse> {
  const skus = cart.lines.map(({ sku }) => sku)
  const products = backOffice.products(skus, requestScope)
  const now = commerce.now()
  const pricing = findCurrentPricing(cart, now)
  const kept: LoadResult<StoredCredit> = { value: pricing?.credit ?? null, error: null, asOf: now }
  const preview =
    !pricing?.totals || kept.value ? kept : (credit ?? backOffice.accounting.credit(customerId!, requestScope))
  const { values, errors, traces } = await fanOut(requestScope, {
    lines: optional(products.then(columnSection)),
    availability: optional(backOffice.availability(skus, requestScope).then(columnSection)),
    credit: optional(Promise.resolve<LoadResult<StoredCredit>>(preview).then(valueSection)),
  })
  const known = (await products).map(({ value, error }) => (value === null && error ? undefined : value))
  const beside = { products: known, bands: values.availability, credit: values.credit, refused }
  return { body: { ...toCartView(cart, beside, merchant.currency, now), errors }, errors, traces }
}
