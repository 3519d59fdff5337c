import Type from 'typebox'
import { addPromotion, removePromotion } from '../../commands/carts/cart-promotions.ts'
import { PromoCodeIn } from '../../contract/cart/cart.ts'
import { defineRoute } from '../../http/route.ts'
import { failRequiredSection } from '../fail-required-section.ts'
import { toCustomerCommandContext } from '../to-command-context.ts'
import { buildCartResponse } from './cart-response.ts'
import { CartParams, cartWriteDefaults, toCartEdit } from './cart-route-defaults.ts'

export const addCartPromotionRoute = defineRoute({
  ...cartWriteDefaults,
  method: 'POST',
  path: '/v1/carts/:cart_id/promotions',
  operationId: 'addCartPromotion',
  summary: 'Add a promotion code to a cart; a code that does not apply is returned with its reason, and not stored',
  input: { params: CartParams, body: PromoCodeIn },
  idempotent: true,
  sections: { required: ['cart', 'pricing'], optional: ['lines', 'availability', 'credit'] },
  async handle(request) {
    const { params, body } = request
    const adding = addPromotion(toCustomerCommandContext(request), params.cart_id, body.code, toCartEdit(request))
    const { cart, refused } = await failRequiredSection('pricing', adding)
    return buildCartResponse(request, cart, { refused })
  },
})

export const deleteCartPromotionRoute = defineRoute({
  ...cartWriteDefaults,
  method: 'DELETE',
  path: '/v1/carts/:cart_id/promotions/:code',
  operationId: 'deleteCartPromotion',
  summary: 'Remove a promotion code from a cart',
  input: { params: Type.Object({ ...CartParams.properties, code: Type.String() }) },
  async handle(request) {
    const { cart_id, code } = request.params
    return buildCartResponse(
      request,
      await removePromotion(toCustomerCommandContext(request), cart_id, code, toCartEdit(request)),
    )
  },
})
