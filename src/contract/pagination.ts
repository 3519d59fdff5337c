import Type from 'typebox'
import { Nullable } from './schema-parts.ts'

export const Pagination = Type.Object(
  {
    limit: Type.Integer(),
    offset: Type.Integer(),
    count: Type.Integer({ description: 'Rows on this page' }),
    total: Nullable(Type.Integer({ description: 'All rows; null when the back office does not report it' })),
    has_more: Type.Boolean(),
    next_offset: Nullable(Type.Integer()),
  },
  { $id: 'Pagination' },
)

/** Returns the `pagination` of a page with `count` rows. */
export function toPagination(
  page: { limit: number; offset: number },
  count: number,
  total: number | null,
  hasMore: boolean,
) {
  return {
    limit: page.limit,
    offset: page.offset,
    count,
    total,
    has_more: hasMore,
    next_offset: hasMore ? page.offset + page.limit : null,
  }
}
