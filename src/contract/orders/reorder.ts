import Type, { type Static } from 'typebox'

export const ReorderIn = Type.Object(
  { cart_id: Type.Optional(Type.String({ maxLength: 64, description: 'The cart to fill; without it, a new one' })) },
  { $id: 'ReorderIn' },
)
export type ReorderIn = Static<typeof ReorderIn>
