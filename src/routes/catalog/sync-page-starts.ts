import { LRUCache } from 'lru-cache'
import type { BackOffice } from '../../upstream/back-office.ts'

/** Where pages of syncs begin in the sequence of changes. */
export interface SyncPageStarts {
  /** Returns the sequence number (inclusive) of the row at `offset`; `undefined`: not known. */
  find(since: string, offset: number): number | undefined
  remember(since: string, offset: number, sequence: number): void
}

const MAX_PAGE_STARTS = 20_000
/** Longer than any response stays in the cache, because a cached page leads to the next. A reader that pauses longer starts again. */
const TTL_MS = 600_000
const pageStartsOf = new WeakMap<BackOffice, SyncPageStarts>()

/**
 * Returns where the pages of a tenant's syncs begin. A changed product moves to the end of the list, and what follows moves up: a client that counts
 * rows would skip some. So the page after a page begins after its last change, not at a count. When several clients read the same
 * pages, the earliest beginning counts: one of them may get a row twice, and none misses one.
 */
export function syncPageStartsOf(backOffice: BackOffice): SyncPageStarts {
  const known = pageStartsOf.get(backOffice)
  if (known) return known
  const created = createSyncPageStarts()
  pageStartsOf.set(backOffice, created)
  return created
}

function createSyncPageStarts(): SyncPageStarts {
  const starts = new LRUCache<string, number>({ max: MAX_PAGE_STARTS, ttl: TTL_MS, noUpdateTTL: true })
  const keyOf = (since: string, offset: number) => `${since} ${offset}`
  return {
    find: (since, offset) => starts.get(keyOf(since, offset)),
    remember(since, offset, sequence) {
      const key = keyOf(since, offset)
      starts.set(key, Math.min(sequence, starts.get(key) ?? sequence))
    },
  }
}
