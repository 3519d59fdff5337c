import Type from 'typebox'
import { Nullable } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'
import { CategoryCount, FacetValue } from './facet-value.ts'

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
