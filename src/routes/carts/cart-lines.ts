import Type from 'typebox'
import {
  addCartLine,
  createLineId,
  removeCartLine,
  requireCartLine,
  updateCartLine,
} from '../../commands/carts/cart-lines.ts'
import { editCart } from '../../commands/carts/edit-cart.ts'
import { fillCart } from '../../commands/carts/fill-cart.ts'
import { AddCartLinesIn, CartWithResults } from '../../contract/cart/add-cart-lines.ts'
import { CartLineUpdateIn } from '../../contract/cart/cart.ts'
import { InvalidInput } from '../../errors.ts'
import { defineRoute } from '../../http/route.ts'
import { toCustomerCommandContext } from '../to-command-context.ts'
import { buildCartResponse, buildFilledCartResponse } from './cart-response.ts'
import { CartParams, cartWriteDefaults, cartWriteProblems, toCartEdit } from './cart-route-defaults.ts'
import { findSellableProduct, findSellableProducts } from './find-sellable-products.ts'

const LineParams = Type.Object({ ...CartParams.properties, line_id: Type.String() })

export const addCartLineRoute = defineRoute({
  ...cartWriteDefaults,
  method: 'POST',
  path: '/v1/carts/:cart_id/lines',
  operationId: 'addCartLine',
  summary: 'Add a product to a cart, or many at once; the same SKU in the same unit is added to its line',
  input: { params: CartParams, body: AddCartLinesIn },
  response: CartWithResults,
  idempotent: true,
  problems: [...cartWriteProblems, 'cart_full'],
  async handle(request) {
    const { params, body } = request
    const context = toCustomerCommandContext(request)
    if ('lines' in body) {
      const findProducts = (skus: readonly string[]) => findSellableProducts(request, skus)
      const fill = { lines: body.lines, linesPath: ['body', 'lines'], findProducts }
      return buildFilledCartResponse(request, await fillCart(context, params.cart_id, toCartEdit(request), fill))
    }
    const { sku, ...amount } = body
    if (amount.quantity === undefined && amount.order_quantity === undefined)
      throw createMissingError(['body', 'quantity'], body)
    const lineId = createLineId()
    const changed = await editCart(context, params.cart_id, toCartEdit(request), async () => {
      const product = await findSellableProduct(request, sku, ['body', 'sku'])
      return (cart) => addCartLine(cart, product, amount, lineId)
    })
    return buildCartResponse(request, changed)
  },
})

export const updateCartLineRoute = defineRoute({
  ...cartWriteDefaults,
  method: 'PATCH',
  path: '/v1/carts/:cart_id/lines/:line_id',
  operationId: 'updateCartLine',
  summary: 'Change the quantity or the unit of a line',
  input: { params: LineParams, body: CartLineUpdateIn },
  async handle(request) {
    const { params, body } = request
    if (Object.keys(body).length === 0) throw createMissingError(['body', 'quantity'], body)
    const changed = await editCart(
      toCustomerCommandContext(request),
      params.cart_id,
      toCartEdit(request),
      async (cart) => {
        const product = await findSellableProduct(request, requireCartLine(cart, params.line_id).sku, [
          'path',
          'line_id',
        ])
        return (current) => updateCartLine(current, product, body, params.line_id)
      },
    )
    return buildCartResponse(request, changed)
  },
})

export const deleteCartLineRoute = defineRoute({
  ...cartWriteDefaults,
  method: 'DELETE',
  path: '/v1/carts/:cart_id/lines/:line_id',
  operationId: 'deleteCartLine',
  summary: 'Remove a line from a cart',
  input: { params: LineParams },
  async handle(request) {
    const { cart_id, line_id } = request.params
    const changed = await editCart(toCustomerCommandContext(request), cart_id, toCartEdit(request), () => (cart) => {
      return removeCartLine(cart, line_id)
    })
    return buildCartResponse(request, changed)
  },
})

const createMissingError = (loc: string[], input: object) =>
  new InvalidInput([{ type: 'missing', loc, msg: 'Field required', input }])
