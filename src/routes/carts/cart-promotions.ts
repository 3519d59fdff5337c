import Type from 'typebox'
import { addPromotion, removePromotion } from '../../commands/carts/cart-promotions.ts'
import { PromoCodeIn } from '../../contract/cart.ts'
import { CartParams, cartAnswer, editOf, notOpen, ofCarts } from './cart.ts'
import { calling, placeOf } from '../to-command-context.ts'
import { route } from '../../http/route.ts'

export const cartPromotionAdd = route({
  ...ofCarts,
  method: 'POST',
  path: '/v1/carts/:cart_id/promotions',
  operationId: 'addCartPromotion',
  summary: 'Put a promotion code into a cart; a refusal is answered with its reason, and not kept',
  input: { params: CartParams, body: PromoCodeIn },
  idempotent: true,
  problems: [...notOpen],
  sections: { required: ['cart', 'pricing'], optional: ['lines', 'availability', 'credit'] },
  async answer(question) {
    const { params, body } = question
    const adding = addPromotion(placeOf(question), params.cart_id, body.code, editOf(question))
    const { cart, refused } = await calling('pricing', adding)
    return cartAnswer(question, cart, { refused })
  },
})

export const cartPromotionDelete = route({
  ...ofCarts,
  method: 'DELETE',
  path: '/v1/carts/:cart_id/promotions/:code',
  operationId: 'deleteCartPromotion',
  summary: 'Take a promotion code out of a cart',
  input: { params: Type.Object({ ...CartParams.properties, code: Type.String() }) },
  problems: [...notOpen],
  async answer(question) {
    const { cart_id, code } = question.params
    return cartAnswer(question, await removePromotion(placeOf(question), cart_id, code, editOf(question)))
  },
})
