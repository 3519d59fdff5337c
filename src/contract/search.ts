import Type, { type Static } from 'typebox'
import { DecimalString } from './money.ts'
import { SectionErrors } from './problem.ts'
import { Nullable } from './schema-parts.ts'

const count = Type.Integer({ minimum: 0, description: 'Products that this search would find with this value' })
const value = Type.String()
const category = { category_id: Type.String(), name: Type.String(), slug: Type.String(), count }

/** The facets that were requested. Each is counted without its own filter. */
export const Facets = Type.Object(
  {
    brand: Type.Optional(Type.Array(Type.Object({ value, count }))),
    category: Type.Optional(
      Nullable(Type.Array(Type.Object(category), { description: 'With the products of descendants; null: not known' })),
    ),
    tag: Type.Optional(Type.Array(Type.Object({ value, name: Type.String(), count }))),
    availability: Type.Optional(Type.Array(Type.Object({ value, count }))),
    price: Type.Optional(
      Type.Array(Type.Object({ from: DecimalString, to: Nullable(DecimalString), count }), {
        description: 'Ranges of list prices: from is inclusive, to is exclusive; null: without a limit',
      }),
    ),
  },
  { $id: 'Facets', description: 'Counts of this search, the most frequent value first: at most 100 of each facet' },
)

/** What a search adds to a list. */
export const searchMembers = {
  facets: Type.Optional(Facets),
  corrected_q: Type.Optional(
    Nullable(
      Type.String({ description: 'The text that was searched instead of q, because no product has the words of q' }),
    ),
  ),
}

export const SuggestionList = Type.Object(
  {
    products: Type.Array(Type.Object({ sku: Type.String(), name: Type.String(), slug: Type.String() })),
    categories: Type.Array(Type.Object(category)),
    brands: Type.Array(Type.Object({ value, count })),
    vehicles: Type.Array(
      Type.Object({
        label: Type.String(),
        year: Nullable(Type.Integer()),
        make: Type.String(),
        model: Nullable(Type.String()),
      }),
    ),
    errors: SectionErrors,
  },
  { $id: 'SuggestionList', description: 'What a text may become, the best first' },
)

export type Facets = Static<typeof Facets>
