import { HttpError } from '../http/http-error.ts'
import { paginate } from './paginate.ts'

export interface ChangePageQuery {
  since: string
  limit?: number
  offset?: number
  cursor?: string
}

/** The position of a row in the order (updated_at, id). */
interface ChangePosition {
  ms: number
  id: string
}

const comparePositions = (a: ChangePosition, b: ChangePosition) =>
  a.ms - b.ms || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** A page of the rows that changed at that time or later, by change time, then by id. */
export function changePage<T extends { updated_at: string }>(
  rows: Iterable<T>,
  idOf: (row: T) => string,
  { since, limit, offset, cursor }: ChangePageQuery,
): { data: T[]; has_more: boolean; next_cursor?: string } {
  const sinceMs = Date.parse(since)
  if (Number.isNaN(sinceMs)) throw new HttpError(400, 'bad_request', 'query/since: not a valid date-time')
  const after = cursor === undefined ? null : parseCursor(cursor)
  const changed = [...rows]
    .map((row) => ({ row, ms: Date.parse(row.updated_at), id: idOf(row) }))
    .filter((position) => position.ms >= sinceMs && (after === null || comparePositions(position, after) > 0))
    .sort(comparePositions)
  const page = paginate(changed, limit, after ? 0 : offset)
  const last = page.rows.at(-1)
  return {
    data: page.rows.map(({ row }) => row),
    has_more: page.has_more,
    ...(page.has_more && last && { next_cursor: toCursor(last) }),
  }
}

const toCursor = ({ ms, id }: ChangePosition) => Buffer.from(JSON.stringify([ms, id])).toString('base64url')

function parseCursor(cursor: string): ChangePosition {
  try {
    const [ms, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [unknown, unknown]
    if (typeof ms === 'number' && typeof id === 'string') return { ms, id }
  } catch {
    // The error below reports it.
  }
  throw new HttpError(400, 'bad_request', 'query/cursor: not a cursor of this feed')
}
