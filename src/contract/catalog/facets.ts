import Type, { type Static } from 'typebox'
import { DecimalString } from '../money.ts'
import { Nullable } from '../schema-parts.ts'
import { BandSchema } from './availability.ts'
import { CategoryCount, FacetValue, productCount } from './facet-value.ts'

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

export type Facets = Static<typeof Facets>
