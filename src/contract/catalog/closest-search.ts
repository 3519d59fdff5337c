import Type, { type Static } from 'typebox'

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

export type ClosestSearch = Static<typeof ClosestSearch>
