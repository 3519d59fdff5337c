import type { ChangePage, ChangeQuery, ChangeTimestamp } from '../ports/change-feed.ts'

export interface ChangePagerParts<T> {
  /** Milliseconds since the epoch, inclusive, by the system's clock. */
  from: number
  limit: number
  read(query: ChangeQuery): Promise<ChangePage<T>>
  idOf(row: T): string
}

/** How many rows of the page before a page begins with: as many may leave an instant while it is read. */
const OVERLAP_ROWS = 20
/** How often a walk goes further back within an instant of which more than that have left. */
const MOST_STEPS_BACK = 10
/** How many pages without a row that could be read a walk passes over. */
const MOST_JUMPS = 25

/** Milliseconds since the epoch; NaN for what is no time. */
export const parseChangeTime = ({ updated_at }: ChangeTimestamp) => Date.parse(updated_at)

/**
 * All that changed since then, a page at a time. Offsets count within one instant alone: rows that move on while others are read would
 * make an offset over all of them skip some. Within an instant each page begins among rows that were seen; where it does not,
 * rows before it have left, and it is read from further back.
 */
export async function* readChangePages<T extends ChangeTimestamp>({
  from,
  limit,
  read,
  idOf,
}: ChangePagerParts<T>): AsyncGenerator<T[]> {
  let [since, offset, stepsBack, jumps, largest] = [from, 0, 0, 0, 0]
  /** Whether the page before had nothing to hold on to. */
  let isBlind = false
  /** Of this instant. */
  let seen = new Set<string>()
  const keyOf = (row: T) => `${parseChangeTime(row)}\n${idOf(row)}`
  for (;;) {
    const start: number = isBlind ? offset : Math.max(0, offset - OVERLAP_ROWS)
    const { changes, has_more } = await read({ since: new Date(since).toISOString(), limit, offset: start })
    const isGap = !isBlind && start > 0 && (changes[0] === undefined || !seen.has(keyOf(changes[0])))
    if (isGap && stepsBack < MOST_STEPS_BACK) {
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
      // An adapter leaves out what it cannot read, be it a whole page: what comes after must be come to all the same.
      jumps += 1
      if (jumps > MOST_JUMPS) return
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
