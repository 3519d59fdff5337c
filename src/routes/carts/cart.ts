import { createCart } from '../../commands/carts/create-cart.ts'
import { requireCart } from '../../commands/carts/find-cart.ts'
import { defineRoute } from '../../http/route.ts'
import { toCustomerCommandContext } from '../to-command-context.ts'
import { buildCartResponse } from './cart-response.ts'
import { CartParams, cartRouteDefaults, toCartEdit } from './cart-route-defaults.ts'

export const createCartRoute = defineRoute({
  ...cartRouteDefaults,
  method: 'POST',
  path: '/v1/carts',
  operationId: 'createCart',
  summary: 'Create an empty cart',
  input: {},
  status: 201,
  idempotent: true,
  async handle(request) {
    const cart = await createCart(toCustomerCommandContext(request), toCartEdit(request))
    const response = await buildCartResponse(request, cart)
    return { ...response, status: 201, headers: { Location: `/v1/carts/${cart.cart_id}` } }
  },
})

export const getCartRoute = defineRoute({
  ...cartRouteDefaults,
  method: 'GET',
  path: '/v1/carts/:cart_id',
  operationId: 'getCart',
  summary: 'Get a cart',
  input: { params: CartParams },
  async handle(request) {
    return buildCartResponse(request, await requireCart(toCustomerCommandContext(request), request.params.cart_id))
  },
})
