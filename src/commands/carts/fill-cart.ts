import type { CartRecord } from '../../storage/commerce/carts.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import { type AddedLine, addLines, type FindProduct, type WantedLine } from './add-lines.ts'
import { createLineId, MAX_CART_LINES } from './cart-lines.ts'
import { createCart } from './create-cart.ts'
import { type CartChange, type CartEdit, editCart } from './edit-cart.ts'
import { requireCart } from './find-cart.ts'

/** Lines that are to be added in one change. */
export interface CartFill {
  lines: readonly WantedLine[]
  /** The path of the lines in the request, for the errors of refused lines. */
  linesPath: readonly string[]
  findProducts: (skus: readonly string[]) => Promise<FindProduct>
}

export interface FilledCart {
  cart: CartRecord
  /** One for each line, in order. */
  added: AddedLine[]
}

/** The record that the transaction of a fill writes, so that a repeated request gets the results of the first one. */
interface AppliedFill {
  cart_id: string
  added?: AddedLine[]
}

/** Adds all lines that can be added to a cart, in one change. */
export async function fillCart(
  context: CustomerCommandContext,
  cartId: string,
  edit: CartEdit,
  fill: CartFill,
): Promise<FilledCart> {
  const earlier = await findAppliedFill(context, edit)
  if (earlier) return earlier
  const { change, describeApplied } = createFillChange(fill)
  const cart = await editCart(context, cartId, { ...edit, describeApplied }, async () =>
    change(await readProducts(fill)),
  )
  return { cart, ...describeApplied() }
}

/** Creates a cart with the lines that can be added. */
export async function createFilledCart(
  context: CustomerCommandContext,
  edit: Pick<CartEdit, 'idempotency'>,
  fill: CartFill,
): Promise<FilledCart> {
  const earlier = await findAppliedFill(context, edit)
  if (earlier) return earlier
  const { change, describeApplied } = createFillChange(fill)
  const findProduct = await readProducts(fill)
  const cart = await createCart(context, { ...edit, describeApplied }, change(findProduct))
  return { cart, ...describeApplied() }
}

/** Returns the result of an earlier attempt of the request, whose response was lost. */
async function findAppliedFill(
  context: CustomerCommandContext,
  { idempotency }: Pick<CartEdit, 'idempotency'>,
): Promise<FilledCart | null> {
  const applied = (idempotency?.applied ?? null) as AppliedFill | null
  return applied?.added ? { cart: await requireCart(context, applied.cart_id), added: applied.added } : null
}

const readProducts = ({ lines, findProducts }: CartFill) =>
  findProducts(lines.slice(0, MAX_CART_LINES).map(({ sku }) => sku))

/** The change may be applied again to a newer cart: the last result counts. */
function createFillChange({ lines, linesPath }: CartFill) {
  let added: AddedLine[] = []
  const change =
    (findProduct: FindProduct): CartChange =>
    (cart) => {
      const filled = addLines(cart, lines, { findProduct, createLineId, linesPath })
      added = filled.added
      return filled.cart
    }
  return { change, describeApplied: () => ({ added }) }
}
