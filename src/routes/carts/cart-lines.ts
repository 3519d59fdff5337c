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
import { SectionFailed } from '../../sections/section.ts'
import { randomBase62 } from '../../storage/keys/api-key-format.ts'
import { isValidSku } from '../catalog/product.ts'
import { toCustomerCommandContext } from '../to-command-context.ts'
import { buildCartResponse, CartParams, cartRouteDefaults, cartWriteProblems, toCartEdit } from './cart.ts'

const LineParams = Type.Object({ ...CartParams.properties, line_id: Type.String() })

export const addCartLineRoute = defineRoute({
  ...cartRouteDefaults,
  method: 'POST',
  path: '/v1/carts/:cart_id/lines',
  operationId: 'addCartLine',
  summary: 'Put a product into a cart; the same sku in the same unit goes onto one line',
  input: { params: CartParams, body: CartLineIn },
  idempotent: true,
  problems: [...cartWriteProblems, 'cart_full'],
  async answer(question) {
    const { params, body } = question
    const { sku, ...wanted } = body
    if (wanted.quantity === undefined && wanted.order_quantity === undefined) throw absent(['body', 'quantity'], body)
    const lineId = `line_${randomBase62(12)}`
    const changed = await editCart(
      toCustomerCommandContext(question),
      params.cart_id,
      toCartEdit(question),
      async () => {
        const product = await sold(question, sku, ['body', 'sku'])
        return (cart) => addLine(cart, product, wanted, lineId)
      },
    )
    return buildCartResponse(question, changed)
  },
})

export const updateCartLineRoute = defineRoute({
  ...cartRouteDefaults,
  method: 'PATCH',
  path: '/v1/carts/:cart_id/lines/:line_id',
  operationId: 'updateCartLine',
  summary: 'Change how much of a line is wanted, or in which unit',
  input: { params: LineParams, body: CartLineUpdateIn },
  problems: [...cartWriteProblems],
  async answer(question) {
    const { params, body } = question
    if (Object.keys(body).length === 0) throw absent(['body', 'quantity'], body)
    const changed = await editCart(
      toCustomerCommandContext(question),
      params.cart_id,
      toCartEdit(question),
      async (cart) => {
        const product = await sold(question, requireCartLine(cart, params.line_id).sku, ['path', 'line_id'])
        return (now) => updateLine(now, product, body, params.line_id)
      },
    )
    return buildCartResponse(question, changed)
  },
})

export const deleteCartLineRoute = defineRoute({
  ...cartRouteDefaults,
  method: 'DELETE',
  path: '/v1/carts/:cart_id/lines/:line_id',
  operationId: 'deleteCartLine',
  summary: 'Take a line out of a cart',
  input: { params: LineParams },
  problems: [...cartWriteProblems],
  async answer(question) {
    const { cart_id, line_id } = question.params
    const changed = await editCart(toCustomerCommandContext(question), cart_id, toCartEdit(question), () => (cart) => {
      return removeLine(cart, line_id)
    })
    return buildCartResponse(question, changed)
  },
})

const absent = (loc: string[], input: object) =>
  new InvalidInput([{ type: 'missing', loc, msg: 'Field required', input }])

/** What the inventory knows of a SKU; what it said before is good enough while it fails. Throws Invalid for what is not sold. */
async function sold(
  { backOffice, requestScope }: Pick<ApiRequest, 'backOffice' | 'requestScope'>,
  sku: string,
  loc: string[],
) {
  if (!isValidSku(sku)) throw createUnknownSkuError(loc, sku)
  const [filled] = await backOffice.products([sku], requestScope)
  const { value, error } = filled!
  if (value === null && error) throw new SectionFailed('product', error)
  if (!value?.active) throw createUnknownSkuError(loc, sku)
  return value satisfies Product
}
