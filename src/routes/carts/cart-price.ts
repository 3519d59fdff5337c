import { priceCart } from '../../commands/carts/price-cart.ts'
import { defineRoute } from '../../http/route.ts'
import { failAsSection, toCustomerCommandContext } from '../to-command-context.ts'
import { buildCartResponse, CartParams, cartRouteDefaults, cartWriteProblems } from './cart.ts'

export const priceCartRoute = defineRoute({
  ...cartRouteDefaults,
  method: 'POST',
  path: '/v1/carts/:cart_id/price',
  operationId: 'priceCart',
  summary: 'Price a cart by what holds now: contract prices, promotions and tax; valid for 15 minutes',
  input: { params: CartParams },
  problems: [...cartWriteProblems],
  sections: { required: ['cart', 'pricing'], optional: ['lines', 'availability', 'credit'] },
  async answer(question) {
    const { ifMatch, params } = question
    const { cart, credit } = await failAsSection(
      'pricing',
      priceCart(toCustomerCommandContext(question), params.cart_id, ifMatch),
    )
    return buildCartResponse(question, cart, { credit })
  },
})
