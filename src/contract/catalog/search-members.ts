import Type from 'typebox'
import { Nullable } from '../schema-parts.ts'
import { ClosestSearch } from './closest-search.ts'
import { Facets } from './facets.ts'

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
