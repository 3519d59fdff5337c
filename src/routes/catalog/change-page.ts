import { toPagination } from '../../contract/pagination.ts'
import type { ApiRequest } from '../../http/route.ts'
import { clampOffset } from '../page-query.ts'
import type { ListQuery } from './list-parameters.ts'
import { fromMicroseconds, toMicroseconds } from './microseconds.ts'
import { syncPageStartsOf } from './sync-page-starts.ts'
import { isInFuture } from './sync-watermark.ts'

export type ChangeRequest = Omit<ApiRequest, 'query'> & { query: ListQuery }

/** The rows of the mirror's sequence that a page shows. */
export interface ChangeRange {
  after: number
  limit: number
  offset: number
  /** The page begins where an earlier one ended, or at the beginning: no row can be missing before it. */
  isContinuous: boolean
}

/** The members of a page except its products. */
interface ReadPage {
  products: readonly { sequence: number }[]
  /** The number of rows. Rows before the page are not counted if it is continuous. `null`: the rows after the page must be counted. */
  total: number | null
  has_more: boolean
}

interface ReadState {
  /** The rows that the page shows. */
  count: number
  /** It is not known which rows match, so the watermark does not move. */
  isUnknown?: boolean
  /** When the catalog was last known to be current, in milliseconds since the epoch. */
  asOf: number
  isStale?: boolean
}

const MINUTE_MS = 60_000
const NO_FILTERS = new Set<string>(['updated_since', 'limit', 'offset', 'sort', 'facets'])
export const hasFilter = (query: ListQuery): boolean => Object.keys(query).some((name) => !NO_FILTERS.has(name))

/** Returns the rows of a page. Its offset counts rows, but a page that follows another begins after the other's last change. */
export function toChangeRange({ query, backOffice }: ChangeRequest, since: string): ChangeRange {
  const { limit, offset } = clampOffset(query)
  const known = offset === 0 ? toMicroseconds(since) : syncPageStartsOf(backOffice).find(since, offset)
  const isContinuous = known !== undefined
  return { after: (known ?? toMicroseconds(since)) - 1, limit, offset: isContinuous ? 0 : offset, isContinuous }
}

/** Remembers where the page after this one begins. */
export function rememberNextPage({ query, backOffice }: ChangeRequest, since: string, page: ReadPage): void {
  const { limit, offset } = clampOffset(query)
  const last = page.products.at(-1)
  if (last) syncPageStartsOf(backOffice).remember(since, offset + limit, last.sequence + 1)
}

/** Returns the members of a page beside its rows and errors. */
export async function describePage(
  request: ChangeRequest,
  since: string,
  { isContinuous }: ChangeRange,
  page: ReadPage,
  { count, isUnknown = false, ...age }: ReadState,
) {
  const { query, commerce } = request
  const last = page.products.at(-1)
  const before = isContinuous ? clampOffset(query).offset : 0
  const countRows = () => (page.total === null ? countAll(request, since, page) : before + page.total)
  const total = hasFilter(query) ? null : await countRows()
  const isEnd = !last || !isContinuous || isUnknown
  return {
    pagination: toPagination(query, count, total, page.has_more && !isUnknown),
    sync: {
      watermark: isEnd ? keepPosition(request, since) : fromMicroseconds(last.sequence + 1),
      ...toAge(age, commerce.now()),
    },
  }
}

/** Counts what follows the page: its next page then knows its own total. */
async function countAll({ query, backOffice }: ChangeRequest, since: string, { products }: ReadPage) {
  const last = products.at(-1)
  if (!last) return backOffice.mirror.countChanges(toMicroseconds(since) - 1)
  const following = await backOffice.mirror.countChanges(last.sequence)
  return following === null ? null : clampOffset(query).offset + products.length + following
}

/**
 * Returns the watermark of a page that does not move it. A time in the future becomes the current time, because a client that stored it would see
 * no change until then; unless the mirror itself is ahead, as after a correction of the clock.
 */
function keepPosition({ backOffice, commerce, requestScope }: ChangeRequest, since: string): string {
  const now = commerce.now()
  if (!isInFuture(since, now)) return since
  const later = backOffice.mirror.changes({ after: now * 1_000, limit: 1, offset: 0 }, requestScope)
  return later.value?.products.length === 0 ? new Date(now).toISOString() : since
}

/**
 * Returns how old the catalog is. The time changes with every poll of the systems, so it is rounded down to the minute: a page without
 * changes keeps its ETag for a minute. Past the merchant's limit, where nothing is cached, it is exact.
 */
const toAge = ({ asOf, isStale = false }: Omit<ReadState, 'count'>, now: number) => ({
  as_of: new Date(isStale ? asOf : Math.floor(asOf / MINUTE_MS) * MINUTE_MS).toISOString(),
  lag_seconds: isStale ? Math.max(0, Math.ceil((now - asOf) / 1_000)) : 0,
})
