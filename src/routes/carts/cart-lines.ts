import Type from 'typebox'
import {
  addLine,
  createUnknownSkuError,
  removeLine,
  requireCartLine,
  updateLine,
} from '../../commands/carts/cart-lines.ts'
import { editCart } from '../../commands/carts/edit-cart.ts'
import { CartLineIn, CartLineUpdateIn } from '../../contract/cart.ts'
import { InvalidInput } from '../../errors.ts'
import { type ApiRequest, defineRoute } from '../../http/route.ts'
import type { Product } from '../../ports/inventory.ts'
import { SectionFailed } from '../../sections/section-errors.ts'
import { randomBase62 } from '../../security/random-id.ts'
import { toCustomerCommandContext } from '../to-command-context.ts'
import { isValidSku } from '../upstream-ids.ts'
import { buildCartResponse, CartParams, cartRouteDefaults, cartWriteProblems, toCartEdit } from './cart-response.ts'

const LineParams = Type.Object({ ...CartParams.properties, line_id: Type.String() })

export const addCartLineRoute = defineRoute({
  ...cartRouteDefaults,
  method: 'POST',
  path: '/v1/carts/:cart_id/lines',
  operationId: 'addCartLine',
  summary: 'Add a product to a cart; the same SKU in the same unit is added to its line',
  input: { params: CartParams, body: CartLineIn },
  idempotent: true,
  problems: [...cartWriteProblems, 'cart_full'],
  async handle(request) {
    const { params, body } = request
    const { sku, ...amount } = body
    if (amount.quantity === undefined && amount.order_quantity === undefined)
      throw createMissingError(['body', 'quantity'], body)
    const lineId = `line_${randomBase62(12)}`
    const changed = await editCart(toCustomerCommandContext(request), params.cart_id, toCartEdit(request), async () => {
      const product = await findSoldProduct(request, sku, ['body', 'sku'])
      return (cart) => addLine(cart, product, amount, lineId)
    })
    return buildCartResponse(request, changed)
  },
})

export const updateCartLineRoute = defineRoute({
  ...cartRouteDefaults,
  method: 'PATCH',
  path: '/v1/carts/:cart_id/lines/:line_id',
  operationId: 'updateCartLine',
  summary: 'Change the quantity or the unit of a line',
  input: { params: LineParams, body: CartLineUpdateIn },
  problems: [...cartWriteProblems],
  async handle(request) {
    const { params, body } = request
    if (Object.keys(body).length === 0) throw createMissingError(['body', 'quantity'], body)
    const changed = await editCart(
      toCustomerCommandContext(request),
      params.cart_id,
      toCartEdit(request),
      async (cart) => {
        const product = await findSoldProduct(request, requireCartLine(cart, params.line_id).sku, ['path', 'line_id'])
        return (current) => updateLine(current, product, body, params.line_id)
      },
    )
    return buildCartResponse(request, changed)
  },
})

export const deleteCartLineRoute = defineRoute({
  ...cartRouteDefaults,
  method: 'DELETE',
  path: '/v1/carts/:cart_id/lines/:line_id',
  operationId: 'deleteCartLine',
  summary: 'Remove a line from a cart',
  input: { params: LineParams },
  problems: [...cartWriteProblems],
  async handle(request) {
    const { cart_id, line_id } = request.params
    const changed = await editCart(toCustomerCommandContext(request), cart_id, toCartEdit(request), () => (cart) => {
      return removeLine(cart, line_id)
    })
    return buildCartResponse(request, changed)
  },
})

const createMissingError = (loc: string[], input: object) =>
  new InvalidInput([{ type: 'missing', loc, msg: 'Field required', input }])

/** Returns a product that may be sold, from its last-good value while inventory fails. Throws InvalidInput for any other SKU. */
async function findSoldProduct(
  { backOffice, requestScope }: Pick<ApiRequest, 'backOffice' | 'requestScope'>,
  sku: string,
  loc: string[],
) {
  if (!isValidSku(sku)) throw createUnknownSkuError(loc, sku)
  const [result] = await backOffice.products([sku], requestScope, { forCart: true })
  const { value, error } = result!
  if (value === null && error) throw new SectionFailed('product', error)
  if (!value?.active) throw createUnknownSkuError(loc, sku)
  return value satisfies Product
}
