import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { ChangePage, ChangeQuery } from '../../../src/ports/change-feed.ts'
import { createChangeListCache } from './change-list-cache.ts'
import { toTrytonDatetime } from './tryton-values.ts'

/** Something that changed, and when: unix time in milliseconds. */
export interface ChangeStamp<Id extends string | number> {
  id: Id
  at: number
}

interface Source<Id extends string | number, T> {
  /** What changed at that time or later, in any order. */
  changed(since: number, call: Call): Promise<ChangeStamp<Id>[]>
  /** The rows of a page, in the order of the stamps. */
  load(stamps: readonly ChangeStamp<Id>[], call: Call): Promise<T[]>
}

/** A longer list of changes is refused: 'overloaded'. */
export const MAX_CHANGES = 50_000

/** A port's feed over what Tryton stamps in several places: the sorting by (time, id) is done here. */
export function createChangeFeed<Id extends string | number, T>(
  now: () => number,
  { changed, load }: Source<Id, T>,
  most = MAX_CHANGES,
) {
  const list = createChangeListCache<ChangeStamp<Id>>(now)
  return async ({ since, limit, offset }: ChangeQuery, call: Call): Promise<ChangePage<T>> => {
    const from = Date.parse(since)
    const all = await list(since, offset, call, async (shared) => {
      const stamps = await changed(from, shared)
      if (stamps.length > most) throw new UpstreamError('overloaded', `over ${most} changes since then`)
      const kept = stamps.filter(({ at }) => at >= from)
      return kept.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    })
    const page = all.slice(offset, offset + limit)
    return { changes: page.length === 0 ? [] : await load(page, call), has_more: offset + limit < all.length }
  }
}

/** A domain for records, or what they lead to, that were made or written at or after a time. */
export function changedSinceDomain(since: number, ...paths: string[]): unknown[] {
  const from = toTrytonDatetime(since)
  const dates = paths.flatMap((path) => [`${path}write_date`, `${path}create_date`])
  return ['OR', ...dates.map((field) => [[field, '>=', from]])]
}

/** The latest time of each id. */
export function latestStampPerId<Id extends string | number>(stamps: Iterable<ChangeStamp<Id>>): ChangeStamp<Id>[] {
  const times = new Map<Id, number>()
  for (const { id, at } of stamps) times.set(id, Math.max(at, times.get(id) ?? 0))
  return [...times].map(([id, at]) => ({ id, at }))
}
