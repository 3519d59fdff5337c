import { createSingleFlight } from '../../lifecycle/single-flight.ts'
import { waitUpTo } from '../../lifecycle/wait-up-to.ts'
import type { Database } from '../../storage/database.ts'
import { isStoreUnavailable } from '../../storage/store-errors.ts'
import type { StoreMonitor } from '../../storage/store-monitor.ts'
import { readStoredStatus, type StoredStatus } from './read-stored-status.ts'

export interface LastGoodStatusReading {
  /** The latest status that could be read; `null`: none since this process started. */
  status: StoredStatus | null
  /** When it was read, in milliseconds since the epoch. */
  readAt: number | null
  /** The time since which the store has not responded; `null`: the status is current. */
  unansweredSince: number | null
}

/** Reads the stored status, and keeps the latest one in memory for the time when the store does not respond. */
export interface LastGoodStatusReader {
  read(): Promise<LastGoodStatusReading>
}

export interface LastGoodStatusReaderParts {
  db: Database
  store: Pick<StoreMonitor, 'outage'>
  /** Ids of the configured merchants: nothing is counted for others. */
  merchants: readonly string[]
  now: () => number
  /** How long a page waits for the store before it shows what is in memory. */
  waitMs?: number | undefined
}

/** Pages that can also show something without the store wait at most this long for it. */
export const STATUS_WAIT_MS = 800

export function createLastGoodStatusReader({
  db,
  store,
  merchants,
  now,
  waitMs = STATUS_WAIT_MS,
}: LastGoodStatusReaderParts): LastGoodStatusReader {
  let latest: { status: StoredStatus; at: number } | null = null
  let unansweredSince: number | null = null

  const flight = createSingleFlight(async () => {
    const at = now()
    try {
      latest = { status: await readStoredStatus(db, merchants, at), at }
      unansweredSince = null
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error
      unansweredSince ??= at
    }
    return true
  })

  return {
    async read() {
      const startedAt = now()
      const run = flight.run()
      // During an outage, nobody waits for each attempt to fail.
      const isAnswered = await waitUpTo(store.outage?.isUnreachable ? 0 : waitMs, run)
      if (isAnswered === null) unansweredSince ??= startedAt
      return { status: latest?.status ?? null, readAt: latest?.at ?? null, unansweredSince }
    },
  }
}
