import { UpstreamError } from '../src/errors.ts'
import type { Call } from '../src/ports/call.ts'
import type { ChangePage, ChangeQuery } from '../src/ports/change-feed.ts'
import { createChangeListCache } from './change-list-cache.ts'

/** A change and its time: Unix time in milliseconds. */
export interface ChangeStamp<Id extends string | number> {
  id: Id
  at: number
}

interface Source<Id extends string | number, T> {
  /** Reads what changed at that time or later, in any order. */
  readStamps(since: number, call: Call): Promise<ChangeStamp<Id>[]>
  /** Loads the rows of a page, in the order of the stamps. */
  loadRows(stamps: readonly ChangeStamp<Id>[], call: Call): Promise<T[]>
}

/** A longer list of changes fails with 'overloaded'. */
export const MAX_CHANGES = 50_000

/** Returns a change feed of a port over timestamps in several places of a system, sorted by (time, id). */
export function createChangeFeed<Id extends string | number, T>(
  nowMs: () => number,
  { readStamps: changed, loadRows: load }: Source<Id, T>,
  maxChanges = MAX_CHANGES,
) {
  const loadList = createChangeListCache<ChangeStamp<Id>>(nowMs)
  return async ({ since, limit, offset }: ChangeQuery, call: Call): Promise<ChangePage<T>> => {
    const from = Date.parse(since)
    const sorted = await loadList(since, offset, call, async (shared) => {
      const stamps = await changed(from, shared)
      if (stamps.length > maxChanges) throw new UpstreamError('overloaded', `over ${maxChanges} changes since then`)
      const recent = stamps.filter(({ at }) => at >= from)
      return recent.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    })
    const page = sorted.slice(offset, offset + limit)
    return { changes: page.length === 0 ? [] : await load(page, call), has_more: offset + limit < sorted.length }
  }
}

/** Returns the latest time of each id. */
export function latestStampPerId<Id extends string | number>(stamps: Iterable<ChangeStamp<Id>>): ChangeStamp<Id>[] {
  const times = new Map<Id, number>()
  for (const { id, at } of stamps) times.set(id, Math.max(at, times.get(id) ?? 0))
  return [...times].map(([id, at]) => ({ id, at }))
}
