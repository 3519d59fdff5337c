import Type, { type Static } from 'typebox'
import { BandSchema } from './availability.ts'
import { DecimalString } from './money.ts'
import { Nullable } from './schema-parts.ts'
import { SectionErrors } from './section-error-entry.ts'

const count = Type.Integer({ minimum: 0, description: 'Products that this search would find with this value' })
const value = Type.String()
const FacetValue = Type.Object({ value, count }, { $id: 'FacetValue' })
const BandCount = Type.Object({ value: BandSchema, count }, { $id: 'BandCount' })
const CategoryCount = Type.Object(
  { category_id: Type.String(), name: Type.String(), slug: Type.String(), count },
  { $id: 'CategoryCount' },
)

/** The facets that were requested. Each is counted without its own filter. */
export const Facets = Type.Object(
  {
    brand: Type.Optional(Type.Array(FacetValue)),
    category: Type.Optional(
      Nullable(Type.Array(CategoryCount, { description: 'With the products of descendants; null: not known' })),
    ),
    tag: Type.Optional(Type.Array(Type.Object({ value, name: Type.String(), count }, { $id: 'TagFacetValue' }))),
    availability: Type.Optional(Type.Array(BandCount)),
    price: Type.Optional(
      Type.Array(Type.Object({ from: DecimalString, to: Nullable(DecimalString), count }, { $id: 'PriceRange' }), {
        description: 'Ranges of list prices: from is inclusive, to is exclusive; null: without a limit',
      }),
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

export const SuggestionList = Type.Object(
  {
    products: Type.Array(
      Type.Object({ sku: Type.String(), name: Type.String(), slug: Type.String() }, { $id: 'ProductSuggestion' }),
    ),
    categories: Type.Array(CategoryCount),
    brands: Type.Array(FacetValue),
    vehicles: Type.Array(
      Type.Object(
        {
          label: Type.String(),
          year: Nullable(Type.Integer()),
          make: Type.String(),
          model: Nullable(Type.String()),
        },
        { $id: 'VehicleSuggestion' },
      ),
    ),
    errors: SectionErrors,
  },
  { $id: 'SuggestionList', description: 'What a text may become, the best first' },
)

export type Facets = Static<typeof Facets>
export type ClosestSearch = Static<typeof ClosestSearch>
