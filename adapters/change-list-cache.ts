import { UpstreamError } from '../src/errors.ts'
import type { Call } from '../src/ports/call.ts'
import { raceWithAbort } from './race-with-abort.ts'
import { runSharedLoad, SHARED_LOAD_TIMEOUT_MS } from './shared-load.ts'

/** Every page of a list is cut from the same one. */
const MAX_LIST_AGE_MS = 30_000
/** A list from which a first page was served: a repeated request wants newer changes. */
const SERVED_LIST_AGE_MS = 500
const MAX_LISTS = 4
/** A load outlives its callers and is not counted by the bulkhead, so the number of parallel loads is limited here. */
const MAX_LOADS = 2
/** The maximum age of a list when its last page is read. */
export const MAX_LIST_LAG_MS = SHARED_LOAD_TIMEOUT_MS + MAX_LIST_AGE_MS

interface List<T> {
  rows: Promise<T[]>
  /** Undefined while it is loading. */
  finishedAt?: number
  /** True once a first page was served. */
  hasServedFirstPage?: boolean
}

/**
 * Caches complete lists of changes while their pages are read: a record that moves to the end of the list leaves no
 * gap. A load continues after all callers left, and the next call finds it or its list. `firstPageAgeMs` is the maximum
 * age of a list for a first page.
 */
export function createChangeListCache<T>(nowMs: () => number, firstPageAgeMs = 0) {
  const lists = new Map<string, List<T>>()
  const findOldestFinished = () => lists.entries().find(([, list]) => list.finishedAt !== undefined)
  const countLoading = () => [...lists.values()].filter((list) => list.finishedAt === undefined).length

  function load(key: string, requestId: string, work: (call: Call) => Promise<T[]>): List<T> {
    if (countLoading() >= MAX_LOADS) {
      throw new UpstreamError('overloaded', `${MAX_LOADS} lists of changes are already loading`, {
        retryAfterMs: 1_000,
      })
    }
    const list: List<T> = { rows: runSharedLoad(requestId, SHARED_LOAD_TIMEOUT_MS, work) }
    const markFinished = () => {
      list.finishedAt = nowMs()
    }
    const removeFailed = () => {
      if (lists.get(key) === list) lists.delete(key)
    }
    list.rows.then(markFinished, removeFailed)
    return list
  }

  return async (key: string, offset: number, call: Call, work: (call: Call) => Promise<T[]>): Promise<T[]> => {
    const cached = lists.get(key)
    const maxFirstPageAgeMs = cached?.hasServedFirstPage ? Math.min(SERVED_LIST_AGE_MS, firstPageAgeMs) : firstPageAgeMs
    const maxAgeMs = offset > 0 ? MAX_LIST_AGE_MS : maxFirstPageAgeMs
    const isFresh = cached && (cached.finishedAt === undefined || nowMs() - cached.finishedAt < maxAgeMs)
    const list = isFresh ? cached : load(key, call.requestId, work)
    lists.delete(key)
    lists.set(key, list)
    if (lists.size > MAX_LISTS) lists.delete(findOldestFinished()![0])
    const rows = await raceWithAbort(list.rows, call)
    list.hasServedFirstPage ||= offset === 0
    return rows
  }
}
