import Type from 'typebox'
import { addLine, lineOf, removeLine, unknownSku, updateLine } from '../../commands/carts/cart-lines.ts'
import { editCart } from '../../commands/carts/edit-cart.ts'
import { CartLineIn, CartLineUpdateIn } from '../../contract/cart.ts'
import { Invalid } from '../../errors.ts'
import type { Product } from '../../ports/inventory.ts'
import { SectionFailed } from '../../sections/section.ts'
import { randomBase62 } from '../../storage/keys/api-key-format.ts'
import { CartParams, cartAnswer, editOf, notOpen, ofCarts } from './cart.ts'
import { placeOf } from '../to-command-context.ts'
import { mayBeSku } from '../catalog/product.ts'
import { type Question, route } from '../../http/route.ts'

const LineParams = Type.Object({ ...CartParams.properties, line_id: Type.String() })

export const cartLineAdd = route({
  ...ofCarts,
  method: 'POST',
  path: '/v1/carts/:cart_id/lines',
  operationId: 'addCartLine',
  summary: 'Put a product into a cart; the same sku in the same unit goes onto one line',
  input: { params: CartParams, body: CartLineIn },
  idempotent: true,
  problems: [...notOpen, 'cart_full'],
  async answer(question) {
    const { params, body } = question
    const { sku, ...wanted } = body
    if (wanted.quantity === undefined && wanted.order_quantity === undefined) throw absent(['body', 'quantity'], body)
    const lineId = `line_${randomBase62(12)}`
    const changed = await editCart(placeOf(question), params.cart_id, editOf(question), async () => {
      const product = await sold(question, sku, ['body', 'sku'])
      return (cart) => addLine(cart, product, wanted, lineId)
    })
    return cartAnswer(question, changed)
  },
})

export const cartLineUpdate = route({
  ...ofCarts,
  method: 'PATCH',
  path: '/v1/carts/:cart_id/lines/:line_id',
  operationId: 'updateCartLine',
  summary: 'Change how much of a line is wanted, or in which unit',
  input: { params: LineParams, body: CartLineUpdateIn },
  problems: [...notOpen],
  async answer(question) {
    const { params, body } = question
    if (Object.keys(body).length === 0) throw absent(['body', 'quantity'], body)
    const changed = await editCart(placeOf(question), params.cart_id, editOf(question), async (cart) => {
      const product = await sold(question, lineOf(cart, params.line_id).sku, ['path', 'line_id'])
      return (now) => updateLine(now, product, body, params.line_id)
    })
    return cartAnswer(question, changed)
  },
})

export const cartLineDelete = route({
  ...ofCarts,
  method: 'DELETE',
  path: '/v1/carts/:cart_id/lines/:line_id',
  operationId: 'deleteCartLine',
  summary: 'Take a line out of a cart',
  input: { params: LineParams },
  problems: [...notOpen],
  async answer(question) {
    const { cart_id, line_id } = question.params
    const changed = await editCart(placeOf(question), cart_id, editOf(question), () => (cart) => {
      return removeLine(cart, line_id)
    })
    return cartAnswer(question, changed)
  },
})

const absent = (loc: string[], input: object) => new Invalid([{ type: 'missing', loc, msg: 'Field required', input }])

/** What the inventory knows of a SKU; what it said before is good enough while it fails. Throws Invalid for what is not sold. */
async function sold({ office, asking }: Pick<Question, 'office' | 'asking'>, sku: string, loc: string[]) {
  if (!mayBeSku(sku)) throw unknownSku(loc, sku)
  const [filled] = await office.products([sku], asking)
  const { value, error } = filled!
  if (value === null && error) throw new SectionFailed('product', error)
  if (!value?.active) throw unknownSku(loc, sku)
  return value satisfies Product
}
