import Type, { type Static } from 'typebox'
import { BandSchema } from './availability.ts'
import { CategoryCount, FacetValue, productCount } from './facet-value.ts'
import { DecimalString } from './money.ts'
import { Nullable } from './schema-parts.ts'

const BandCount = Type.Object({ value: BandSchema, count: productCount }, { $id: 'BandCount' })

/** The facets that were requested. Each is counted without its own filter. */
export const Facets = Type.Object(
  {
    brand: Type.Optional(Type.Array(FacetValue)),
    category: Type.Optional(
      Nullable(Type.Array(CategoryCount, { description: 'With the products of descendants; null: not known' })),
    ),
    tag: Type.Optional(
      Type.Array(
        Type.Object({ value: Type.String(), name: Type.String(), count: productCount }, { $id: 'TagFacetValue' }),
      ),
    ),
    availability: Type.Optional(Type.Array(BandCount)),
    price: Type.Optional(
      Type.Array(
        Type.Object({ from: DecimalString, to: Nullable(DecimalString), count: productCount }, { $id: 'PriceRange' }),
        {
          description: 'Ranges of list prices: from is inclusive, to is exclusive; null: without a limit',
        },
      ),
    ),
  },
  { $id: 'Facets', description: 'Counts of this search, the most frequent value first: at most 100 of each facet' },
)

/** What a shopper may have meant with a text that finds nothing. */
export const ClosestSearch = Type.Object(
  {
    q: Type.String({ description: 'The text to search for' }),
    left_out: Type.Array(Type.String(), {
      description: 'The words of the request that it does not have, as they were sent',
    }),
    total: Type.Integer({ minimum: 1, description: 'The number of products that it finds, with the same filters' }),
  },
  { $id: 'ClosestSearch', description: 'A search with fewer words' },
)

/** The members that a search adds to a list. */
export const searchMembers = {
  facets: Type.Optional(Facets),
  corrected_q: Type.Optional(
    Nullable(
      Type.String({ description: 'The text that was searched instead of q, because no product has the words of q' }),
    ),
  ),
  closest: Type.Optional(
    Nullable(ClosestSearch, { description: 'A search with fewer words that finds products, because q finds none' }),
  ),
}

export type Facets = Static<typeof Facets>
export type ClosestSearch = Static<typeof ClosestSearch>
