import { priceCart } from '../../commands/carts/price-cart.ts'
import { PriceCartIn } from '../../contract/cart/price-cart.ts'
import { defineRoute } from '../../http/route.ts'
import { failRequiredSection } from '../fail-required-section.ts'
import { toCustomerCommandContext } from '../to-command-context.ts'
import { buildCartResponse } from './cart-response.ts'
import { CartParams, cartWriteDefaults } from './cart-route-defaults.ts'

export const priceCartRoute = defineRoute({
  ...cartWriteDefaults,
  method: 'POST',
  path: '/v1/carts/:cart_id/price',
  operationId: 'priceCart',
  summary: 'Price a cart with current contract prices, promotions, delivery and tax; valid for 15 minutes',
  input: { params: CartParams, body: PriceCartIn, bodyOptional: true },
  sections: { required: ['cart', 'pricing'], optional: ['lines', 'availability', 'credit'] },
  async handle(request) {
    const { ifMatch, params, body } = request
    const terms = { ifMatch, ...(body && { delivery: body }) }
    const { cart, credit } = await failRequiredSection(
      'pricing',
      priceCart(toCustomerCommandContext(request), params.cart_id, terms),
    )
    return buildCartResponse(request, cart, { credit })
  },
})
