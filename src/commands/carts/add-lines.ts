import type { ValidationItem } from '../../contract/validation-error.ts'
import { InvalidInput, Problem } from '../../errors.ts'
import type { Product } from '../../ports/inventory.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import { addCartLine, MAX_CART_LINES } from './cart-lines.ts'
import type { QuantityInput } from './resolve-line-quantity.ts'
import { createUnknownSkuError } from './unknown-sku-error.ts'

/** A product that is to be added to a cart. */
export interface WantedLine extends QuantityInput {
  sku: string
}

/** The result of one of several lines. `errors`: why it was not added, as the single form reports it in a 422. */
export interface AddedLine {
  sku: string
  line_id: string | null
  errors: ValidationItem[]
}

/** Returns the product of a SKU, or `null` when it is not sold. */
export type FindProduct = (sku: string) => Product | null

/** Adds each line that can be added, and says why the others cannot. `linesPath`: the path of the lines in the request. */
export function addLines<C extends CartRecord>(
  cart: C,
  wanted: readonly WantedLine[],
  {
    findProduct,
    createLineId,
    linesPath,
  }: { findProduct: FindProduct; createLineId: () => string; linesPath: readonly string[] },
): { cart: C; added: AddedLine[] } {
  let filled = cart
  const added = wanted.map(({ sku, ...quantity }, index): AddedLine => {
    try {
      // An order may have more lines than a cart. The products of the others are not read.
      if (index >= MAX_CART_LINES) throw new Problem('cart_full')
      const product = findProduct(sku)
      if (!product) throw createUnknownSkuError(['body', 'sku'], sku)
      filled = addCartLine(filled, product, quantity, createLineId())
      return { sku, line_id: findLineId(filled, product.sku, quantity), errors: [] }
    } catch (error) {
      return { sku, line_id: null, errors: toItems(error, [...linesPath, index], sku) }
    }
  })
  return { cart: filled, added }
}

const findLineId = ({ lines }: Pick<CartRecord, 'lines'>, sku: string, { order_uom }: QuantityInput) =>
  lines.find((line) => line.sku === sku && line.order_uom === (order_uom ?? null))!.line_id

/** Returns a refusal as validation items of this line, and throws any other error again. */
function toItems(error: unknown, path: (string | number)[], sku: string): ValidationItem[] {
  if (error instanceof InvalidInput)
    return error.detail.map((item) => ({ ...item, loc: [...path, ...item.loc.slice(1)] }))
  if (error instanceof Problem && error.code === 'cart_full')
    return [{ type: error.code, loc: path, msg: error.detail, input: sku }]
  throw error
}
