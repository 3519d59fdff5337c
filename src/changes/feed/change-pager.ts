import { UpstreamError } from '../../errors.ts'
import type { ChangePage, ChangeQuery, ChangeTimestamp } from '../../ports/change-feed.ts'

export interface ChangePagerParts<T> {
  /** Milliseconds since the epoch, inclusive, by the system's clock. */
  from: number
  limit: number
  read(query: ChangeQuery): Promise<ChangePage<T>>
  idOf(row: T): string
}

/** The rows by which a page overlaps the previous one. As many rows may leave an instant while it is read. */
const OVERLAP_ROWS = 20
/** The maximum number of steps back within an instant, after more rows than that have left it. */
const MAX_STEPS_BACK = 10
/** The maximum number of pages without any readable row that are skipped. */
const MAX_JUMPS = 25

/** Returns milliseconds since the epoch, or NaN for an invalid time. */
export const parseChangeTime = ({ updated_at }: ChangeTimestamp) => Date.parse(updated_at)

/** Yields the pages of a feed that has cursors. */
async function* readByCursor<T>({ from, limit, read }: Omit<ChangePagerParts<T>, 'idOf'>, first: string) {
  const query = { since: new Date(from).toISOString(), limit, offset: 0 }
  for (let cursor = first; ; ) {
    const { changes, has_more, next_cursor } = await read({ ...query, cursor })
    yield changes
    if (!has_more) return
    if (next_cursor === undefined || next_cursor === cursor)
      throw new UpstreamError('invalid', 'the change feed has more rows, and no cursor that leads to them')
    cursor = next_cursor
  }
}

/**
 * Yields all changes since `from`, page by page: by cursor, if the feed has them, and else by offset. An offset counts within one instant
 * only: rows that change while others are read would make a global offset skip rows. Within an instant each page overlaps the previous
 * one. If it does not, rows before it have left, and the page is read again from further back.
 */
export async function* readChangePages<T extends ChangeTimestamp>({
  from,
  limit,
  read,
  idOf,
}: ChangePagerParts<T>): AsyncGenerator<T[]> {
  let [since, offset, stepsBack, jumps, largest] = [from, 0, 0, 0, 0]
  /** The previous page had no new row. */
  let isBlind = false
  /** The keys of the rows that were read at the current instant. */
  let seen = new Set<string>()
  const keyOf = (row: T) => `${parseChangeTime(row)}\n${idOf(row)}`
  for (;;) {
    const start: number = isBlind ? offset : Math.max(0, offset - OVERLAP_ROWS)
    const { changes, has_more, next_cursor } = await read({
      since: new Date(since).toISOString(),
      limit,
      offset: start,
    })
    if (next_cursor !== undefined && since === from && start === 0) {
      yield changes
      if (has_more) yield* readByCursor({ from, limit, read }, next_cursor)
      return
    }
    const isGap = !isBlind && start > 0 && (changes[0] === undefined || !seen.has(keyOf(changes[0])))
    if (isGap && stepsBack < MAX_STEPS_BACK) {
      stepsBack += 1
      offset = Math.max(0, start - limit / 2)
      continue
    }
    const rows = changes.filter((row) => !seen.has(keyOf(row)))
    yield rows
    if (!has_more) return
    largest = Math.max(largest, changes.length)
    isBlind = rows.length === 0
    if (isBlind) {
      // Adapters leave out rows that they cannot read, even a whole page. Later rows must still be reached.
      jumps += 1
      if (jumps > MAX_JUMPS) return
      offset = start + (largest || limit)
      continue
    }
    const times = changes.map(parseChangeTime)
    const last = times.findLast((time) => !Number.isNaN(time)) ?? since
    if (last > since) {
      const tied = changes.slice(times.indexOf(last))
      ;[since, offset, stepsBack] = [last, tied.length, 0]
      seen = new Set(tied.map(keyOf))
    } else {
      offset = start + changes.length
      for (const row of changes) seen.add(keyOf(row))
    }
  }
}
