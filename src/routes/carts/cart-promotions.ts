import Type from 'typebox'
import { addPromotion, removePromotion } from '../../commands/carts/cart-promotions.ts'
import { PromoCodeIn } from '../../contract/cart.ts'
import { defineRoute } from '../../http/route.ts'
import { failAsSection, toCustomerCommandContext } from '../to-command-context.ts'
import { buildCartResponse, CartParams, cartRouteDefaults, cartWriteProblems, toCartEdit } from './cart.ts'

export const addCartPromotionRoute = defineRoute({
  ...cartRouteDefaults,
  method: 'POST',
  path: '/v1/carts/:cart_id/promotions',
  operationId: 'addCartPromotion',
  summary: 'Put a promotion code into a cart; a refusal is answered with its reason, and not kept',
  input: { params: CartParams, body: PromoCodeIn },
  idempotent: true,
  problems: [...cartWriteProblems],
  sections: { required: ['cart', 'pricing'], optional: ['lines', 'availability', 'credit'] },
  async answer(question) {
    const { params, body } = question
    const adding = addPromotion(toCustomerCommandContext(question), params.cart_id, body.code, toCartEdit(question))
    const { cart, refused } = await failAsSection('pricing', adding)
    return buildCartResponse(question, cart, { refused })
  },
})

export const deleteCartPromotionRoute = defineRoute({
  ...cartRouteDefaults,
  method: 'DELETE',
  path: '/v1/carts/:cart_id/promotions/:code',
  operationId: 'deleteCartPromotion',
  summary: 'Take a promotion code out of a cart',
  input: { params: Type.Object({ ...CartParams.properties, code: Type.String() }) },
  problems: [...cartWriteProblems],
  async answer(question) {
    const { cart_id, code } = question.params
    return buildCartResponse(
      question,
      await removePromotion(toCustomerCommandContext(question), cart_id, code, toCartEdit(question)),
    )
  },
})
