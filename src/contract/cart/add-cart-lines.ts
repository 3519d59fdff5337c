import Type, { type Static } from 'typebox'
import { Nullable } from '../schema-parts.ts'
import { ValidationItem } from '../validation-error.ts'
import { Cart, CartLineIn } from './cart.ts'

export const MAX_LINES_AT_ONCE = 200

export const CartLinesIn = Type.Object(
  { lines: Type.Array(CartLineIn, { minItems: 1, maxItems: MAX_LINES_AT_ONCE }) },
  { $id: 'CartLinesIn', description: 'Many lines at once. The response has a result for each' },
)

/** The body that adds one line, or many. A body with a `sku` is one line, whatever else it has. */
export const AddCartLinesIn = Type.Union([CartLineIn, CartLinesIn], { 'x-second-with': 'lines' })

export const CartLineResult = Type.Object(
  {
    index: Type.Integer({ description: 'The place of the line in the request, from 0' }),
    sku: Type.String(),
    status: Type.Enum(['ADDED', 'REFUSED'], { $id: 'CartLineResultStatus' }),
    line_id: Nullable(Type.String(), { description: 'The line that has it now; null when it was refused' }),
    errors: Type.Array(ValidationItem, {
      description:
        'Why it was refused, as the 422 of a single line says it. `loc` begins with `body`, or with `order` for a line of an order',
    }),
  },
  { $id: 'CartLineResult' },
)
export type CartLineResult = Static<typeof CartLineResult>

export const CartWithResults = Type.Object(
  {
    ...Cart.properties,
    results: Type.Optional(
      Type.Array(CartLineResult, { description: 'For many lines at once: a result for each, in order' }),
    ),
  },
  { $id: 'CartWithResults' },
)
