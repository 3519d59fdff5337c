import Type from 'typebox'
import { findCurrentPricing } from '../../commands/carts/stored-cart-pricing.ts'
import { toCustomerKey } from '../../commands/command-context.ts'
import { type CartItem, CartList } from '../../contract/cart/cart-list.ts'
import { toMoney } from '../../contract/money.ts'
import { toPagination } from '../../contract/pagination.ts'
import { Problem } from '../../errors.ts'
import { type ApiRequest, defineRoute, jsonResponse } from '../../http/route.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import { listOpenCarts } from '../../storage/commerce/open-carts.ts'
import { clampOffset } from '../page-query.ts'
import { toCustomerCommandContext } from '../to-command-context.ts'
import { buildCartResponse } from './cart-response.ts'
import { cartRouteDefaults } from './cart-route-defaults.ts'
import { toPricingView } from './cart-view.ts'

const NO_CART = 'The shopper has no open cart. Create one: POST /v1/carts.'

export const listCartsRoute = defineRoute({
  method: 'GET',
  path: '/v1/carts',
  operationId: 'listCarts',
  summary: 'List the carts that the shopper can still change, newest first',
  tag: 'Carts',
  scope: 'storefront:cart',
  input: {
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
      offset: Type.Integer({ minimum: 0, default: 0 }),
    }),
  },
  response: CartList,
  needsShopper: true,
  readsStoreOnly: true,
  caching: 'none',
  async handle(request) {
    const { query, merchant, commerce } = request
    const { carts, total } = await readOpenCarts(request, clampOffset(query))
    const data = carts.map((cart) => toCartItem(cart, merchant.currency, commerce.now()))
    const pagination = toPagination(query, data.length, total, query.offset + data.length < total)
    return jsonResponse({ data, pagination, errors: [] })
  },
})

export const getCurrentCartRoute = defineRoute({
  ...cartRouteDefaults,
  method: 'GET',
  path: '/v1/carts/current',
  operationId: 'getCurrentCart',
  summary: 'Get the newest cart that the shopper can still change',
  input: {},
  problems: ['not_found'],
  async handle(request) {
    const [cart] = (await readOpenCarts(request, { limit: 1, offset: 0 })).carts
    if (!cart) throw new Problem('not_found', NO_CART)
    return buildCartResponse(request, cart)
  },
})

function readOpenCarts(request: ApiRequest, page: { limit: number; offset: number }) {
  const { db, now } = request.commerce
  const customer = toCustomerKey(toCustomerCommandContext(request))
  return listOpenCarts(db, customer, { ...page, now: new Date(now()).toISOString() })
}

function toCartItem(cart: CartRecord, currency: string, now: number): CartItem {
  const { cart_id, version, lines, created_at, updated_at, expires_at } = cart
  const totals = findCurrentPricing(cart, now)?.totals ?? null
  return {
    cart_id,
    state: 'ACTIVE',
    version,
    currency,
    item_count: lines.length,
    total: totals && toMoney(totals.total, currency),
    pricing: toPricingView(cart, totals !== null),
    created_at,
    updated_at,
    expires_at,
  }
}
