import { randomBase62 } from '../../security/random-id.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import { type AddedLine, addLines, type FindProduct, type WantedLine } from './add-lines.ts'
import { type CartEdit, editCart } from './edit-cart.ts'
import { requireCart } from './find-cart.ts'

/** Lines that are to be added in one change. */
export interface CartFill {
  lines: readonly WantedLine[]
  /** Where the request has the lines, for the errors of those that are refused. */
  place: readonly string[]
  findProducts: (skus: readonly string[]) => Promise<FindProduct>
}

export interface FilledCart {
  cart: CartRecord
  /** One for each line, in order. */
  added: AddedLine[]
}

/** What the transaction of a fill records, so that a repeated request gets the results of the first one. */
interface AppliedFill {
  cart_id: string
  added?: AddedLine[]
}

export const createLineId = () => `line_${randomBase62(12)}`

/** Adds lines to a cart in one change: all that can be added. */
export async function fillCart(
  context: CustomerCommandContext,
  cartId: string,
  edit: CartEdit,
  { lines, place, findProducts }: CartFill,
): Promise<FilledCart> {
  const applied = (edit.idempotency?.applied ?? null) as AppliedFill | null
  if (applied?.added) return { cart: await requireCart(context, applied.cart_id), added: applied.added }
  let added: AddedLine[] = []
  const cart = await editCart(context, cartId, { ...edit, describeApplied: () => ({ added }) }, async () => {
    const findProduct = await findProducts(lines.map(({ sku }) => sku))
    return (current) => {
      const filled = addLines(current, lines, { findProduct, createLineId, place })
      added = filled.added
      return filled.cart
    }
  })
  return { cart, added }
}
