import { Decimal } from 'decimal.js'
import { createNotFound, Problem } from '../../errors.ts'
import type { Product } from '../../ports/inventory.ts'
import { randomBase62 } from '../../security/base62.ts'
import type { CartRecord, StoredCartLine } from '../../storage/commerce/carts.ts'
import { type QuantityInput, resolveLineQuantity } from './resolve-line-quantity.ts'

export const MAX_CART_LINES = 200

export const createLineId = () => `line_${randomBase62(12)}`

type CartWithLines = Pick<CartRecord, 'lines'>

/** Adds a product to its line with the same unit of sale, or to a new line. Throws InvalidInput and `cart_full`. */
export function addCartLine<C extends CartWithLines>(
  cart: C,
  product: Product,
  wanted: QuantityInput,
  lineId: string,
): C {
  const added = resolveLineQuantity(product, wanted)
  const same = cart.lines.find(({ sku, order_uom }) => sku === product.sku && order_uom === added.order_uom)
  if (same) {
    const merged = { ...same, name: product.name, ...resolveLineQuantity(product, addQuantities(same, added)) }
    return { ...cart, lines: cart.lines.map((line) => (line === same ? merged : line)) }
  }
  if (cart.lines.length >= MAX_CART_LINES) throw new Problem('cart_full')
  return { ...cart, lines: [...cart.lines, { line_id: lineId, sku: product.sku, name: product.name, ...added }] }
}

/** Changes the quantity or the unit of a line. Merges it with the other line of the same product and unit, if there is one. */
export function updateCartLine<C extends CartWithLines>(
  cart: C,
  product: Product,
  wanted: QuantityInput,
  lineId: string,
): C {
  const line = requireCartLine(cart, lineId)
  const order_uom = wanted.order_uom ?? line.order_uom
  const keepsQuantity = wanted.quantity === undefined && wanted.order_quantity === undefined
  const changed = resolveLineQuantity(product, {
    ...wanted,
    order_uom,
    ...(keepsQuantity && { quantity: line.quantity }),
  })
  const twin = cart.lines.find((other) => {
    return other !== line && other.sku === line.sku && other.order_uom === changed.order_uom
  })
  const merged = { ...line, ...(twin ? resolveLineQuantity(product, addQuantities(twin, changed)) : changed) }
  return {
    ...cart,
    lines: cart.lines.filter((other) => other !== twin).map((other) => (other === line ? merged : other)),
  }
}

/** Removes a line. Throws `not_found` for an unknown line. */
export function removeCartLine<C extends CartWithLines>(cart: C, lineId: string): C {
  const line = requireCartLine(cart, lineId)
  return { ...cart, lines: cart.lines.filter((other) => other !== line) }
}

export function requireCartLine(cart: CartWithLines, lineId: string): StoredCartLine {
  const line = cart.lines.find(({ line_id }) => line_id === lineId)
  if (!line) throw createNotFound('cart line')
  return line
}

type Quantities = Pick<StoredCartLine, 'quantity' | 'order_uom' | 'order_quantity'>

/** Adds in the unit of sale if there is one, since its factor may have changed after the first line was added. */
function addQuantities(first: Quantities, second: Quantities): QuantityInput {
  const sum = (a: string, b: string) => new Decimal(a).plus(b).toFixed()
  if (first.order_quantity === null || second.order_quantity === null)
    return { quantity: sum(first.quantity, second.quantity) }
  return { order_uom: first.order_uom, order_quantity: sum(first.order_quantity, second.order_quantity) }
}
