import { priceCart } from '../../commands/carts/price-cart.ts'
import { CartParams, cartAnswer, notOpen, ofCarts } from './cart.ts'
import { calling, placeOf } from '../to-command-context.ts'
import { route } from '../../http/route.ts'

export const cartPrice = route({
  ...ofCarts,
  method: 'POST',
  path: '/v1/carts/:cart_id/price',
  operationId: 'priceCart',
  summary: 'Price a cart by what holds now: contract prices, promotions and tax; valid for 15 minutes',
  input: { params: CartParams },
  problems: [...notOpen],
  sections: { required: ['cart', 'pricing'], optional: ['lines', 'availability', 'credit'] },
  async answer(question) {
    const { ifMatch, params } = question
    const { cart, credit } = await calling('pricing', priceCart(placeOf(question), params.cart_id, ifMatch))
    return cartAnswer(question, cart, { credit })
  },
})
