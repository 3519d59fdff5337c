import { HttpError } from '../http/http-error.ts'
import { paginate } from './paginate.ts'

export interface ChangePageQuery {
  since: string
  limit?: number
  offset?: number
}

/** A page of the rows that changed at that time or later, by change time, then by id. */
export function changePage<T extends { updated_at: string }>(
  rows: Iterable<T>,
  idOf: (row: T) => string,
  { since, limit, offset }: ChangePageQuery,
): { data: T[]; has_more: boolean } {
  const sinceMs = Date.parse(since)
  if (Number.isNaN(sinceMs)) throw new HttpError(400, 'bad_request', 'query/since: not a valid date-time')
  const changed = [...rows]
    .map((row) => ({ row, ms: Date.parse(row.updated_at), id: idOf(row) }))
    .filter(({ ms }) => ms >= sinceMs)
    .sort((a, b) => a.ms - b.ms || (a.id < b.id ? -1 : 1))
  const page = paginate(changed, limit, offset)
  return { data: page.rows.map(({ row }) => row), has_more: page.has_more }
}
