import Type from 'typebox'

/** The number of products of a value. */
export const productCount = Type.Integer({
  minimum: 0,
  description: 'Products that this search would find with this value',
})

export const FacetValue = Type.Object({ value: Type.String(), count: productCount }, { $id: 'FacetValue' })

export const CategoryCount = Type.Object(
  { category_id: Type.String(), name: Type.String(), slug: Type.String(), count: productCount },
  { $id: 'CategoryCount' },
)
