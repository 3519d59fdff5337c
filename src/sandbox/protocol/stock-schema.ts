import { Type } from 'typebox'

export const Stock = Type.Object({
  available: Type.Number({ description: 'On hand less reserved, in the base unit; may be negative.' }),
  expected: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), quantity: Type.Number() })),
})
