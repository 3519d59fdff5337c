import { Decimal } from 'decimal.js'
import { InvalidInput, Problem } from '../../errors.ts'
import type { Product } from '../../ports/inventory.ts'
import type { CartRecord, StoredCartLine } from '../../storage/commerce/carts.ts'
import { type QuantityInput, resolveQuantity } from './line-quantity.ts'

export const MAX_CART_LINES = 200

type Lines = Pick<CartRecord, 'lines'>

/** Puts a product in: onto the line that has it in the same unit of sale, else on a new one. Throws Invalid, and `cart_full`. */
export function addLine<C extends Lines>(cart: C, product: Product, wanted: QuantityInput, lineId: string): C {
  const added = resolveQuantity(product, wanted)
  const same = cart.lines.find(({ sku, order_uom }) => sku === product.sku && order_uom === added.order_uom)
  if (same) {
    const merged = { ...same, name: product.name, ...resolveQuantity(product, sumOf(same, added)) }
    return { ...cart, lines: cart.lines.map((line) => (line === same ? merged : line)) }
  }
  if (cart.lines.length >= MAX_CART_LINES) throw new Problem('cart_full')
  return { ...cart, lines: [...cart.lines, { line_id: lineId, sku: product.sku, name: product.name, ...added }] }
}

/** Changes how much of a line is wanted, or in which unit. A line that becomes like another takes it in. */
export function updateLine<C extends Lines>(cart: C, product: Product, wanted: QuantityInput, lineId: string): C {
  const line = requireCartLine(cart, lineId)
  const order_uom = wanted.order_uom ?? line.order_uom
  const nothing = wanted.quantity === undefined && wanted.order_quantity === undefined
  const changed = resolveQuantity(product, { ...wanted, order_uom, ...(nothing && { quantity: line.quantity }) })
  const twin = cart.lines.find((other) => {
    return other !== line && other.sku === line.sku && other.order_uom === changed.order_uom
  })
  const merged = { ...line, ...(twin ? resolveQuantity(product, sumOf(twin, changed)) : changed) }
  return { ...cart, lines: cart.lines.filter((other) => other !== twin).map((one) => (one === line ? merged : one)) }
}

/** Throws `not_found` when there is no such line, like the others that name one. */
export function removeLine<C extends Lines>(cart: C, lineId: string): C {
  const line = requireCartLine(cart, lineId)
  return { ...cart, lines: cart.lines.filter((other) => other !== line) }
}

export function requireCartLine(cart: Lines, lineId: string): StoredCartLine {
  const line = cart.lines.find(({ line_id }) => line_id === lineId)
  if (!line) throw new Problem('not_found')
  return line
}

type Amounts = Pick<StoredCartLine, 'quantity' | 'order_uom' | 'order_quantity'>

/** In the unit of sale where there is one: its factor may have changed since the first was put in. */
function sumOf(one: Amounts, other: Amounts): QuantityInput {
  const sum = (a: string, b: string) => new Decimal(a).plus(b).toFixed()
  if (one.order_quantity === null || other.order_quantity === null)
    return { quantity: sum(one.quantity, other.quantity) }
  return { order_uom: one.order_uom, order_quantity: sum(one.order_quantity, other.order_quantity) }
}

/** What is not sold (any more) cannot be put in. */
export function createUnknownSkuError(loc: string[], input: string): InvalidInput {
  const msg = 'There is no such product'
  return new InvalidInput([{ type: 'unknown_sku', loc, msg, input: input.slice(0, 256) }])
}
