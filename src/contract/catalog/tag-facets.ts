import Type from 'typebox'
import { Nullable } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'

export const TagFacets = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        { tag: Type.String(), name: Type.String(), count: Nullable(Type.Integer({ minimum: 0 })) },
        { $id: 'TagCount' },
      ),
    ),
    errors: SectionErrors,
  },
  { $id: 'TagFacets' },
)
