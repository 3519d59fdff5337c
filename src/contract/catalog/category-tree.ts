import Type, { type Static } from 'typebox'
import { Nullable } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'

export const CategoryNode = Type.Cyclic(
  {
    CategoryNode: Type.Object({
      category_id: Type.String(),
      name: Type.String(),
      slug: Type.String(),
      parent_id: Nullable(Type.String()),
      depth: Type.Integer({ minimum: 0 }),
      position: Type.Integer(),
      product_count: Nullable(Type.Integer({ minimum: 0 })),
      children: Type.Array(Type.Ref('CategoryNode')),
    }),
  },
  'CategoryNode',
)
export type CategoryNode = Static<typeof CategoryNode>

export const CategoryTree = Type.Object(
  { data: Type.Array(CategoryNode), errors: SectionErrors },
  { $id: 'CategoryTree' },
)
