import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { runSharedLoad, SHARED_LOAD_TIMEOUT_MS, waitWithAbort } from './shared-load.ts'

/** Every page of a list is cut from the same one. */
const LIST_AGE_MS = 30_000
/** One that a first page was cut from: whoever asks again wants what is new. */
const TAKEN_AGE_MS = 500
const MAX_LISTS = 4
/** A load runs for longer than its callers wait, outside the guard's count of calls: so many at once, and no more. */
const MAX_LOADS = 2
/** A list may be as old as this where its last page is read. */
export const MAX_LIST_LAG_MS = SHARED_LOAD_TIMEOUT_MS + LIST_AGE_MS

interface List<T> {
  rows: Promise<T[]>
  /** Not there while it is loading. */
  finishedAt?: number
  /** Whether somebody had a first page of it. */
  taken?: boolean
}

/**
 * Whole lists of what changed, kept while their pages are read: what moves to the end of a list meanwhile leaves no gap before it.
 * A load goes on when nobody waits for it any longer: the next try finds it, or its list. A first page takes a list as fresh as said.
 */
export function createChangeListCache<T>(now: () => number, firstPageAgeMs = 0) {
  const lists = new Map<string, List<T>>()
  const firstFinished = () => lists.entries().find(([, list]) => list.finishedAt !== undefined)
  const underWay = () => [...lists.values()].filter((list) => list.finishedAt === undefined).length

  function load(key: string, requestId: string, work: (call: Call) => Promise<T[]>): List<T> {
    if (underWay() >= MAX_LOADS) {
      throw new UpstreamError('overloaded', `${MAX_LOADS} lists of changes are loading`, { retryAfterMs: 1_000 })
    }
    const list: List<T> = { rows: runSharedLoad(requestId, SHARED_LOAD_TIMEOUT_MS, work) }
    const finished = () => {
      list.finishedAt = now()
    }
    const gone = () => {
      if (lists.get(key) === list) lists.delete(key)
    }
    list.rows.then(finished, gone)
    return list
  }

  return async (key: string, offset: number, call: Call, work: (call: Call) => Promise<T[]>): Promise<T[]> => {
    const held = lists.get(key)
    const firstAgeMs = held?.taken ? Math.min(TAKEN_AGE_MS, firstPageAgeMs) : firstPageAgeMs
    const maxAgeMs = offset > 0 ? LIST_AGE_MS : firstAgeMs
    const fresh = held && (held.finishedAt === undefined || now() - held.finishedAt < maxAgeMs)
    const list = fresh ? held : load(key, call.requestId, work)
    lists.delete(key)
    lists.set(key, list)
    if (lists.size > MAX_LISTS) lists.delete(firstFinished()![0])
    const rows = await waitWithAbort(list.rows, call)
    list.taken ||= offset === 0
    return rows
  }
}
