import { sql } from 'kysely'
import { type Poller, startPoller } from '../lifecycle/poller.ts'
import type { Database } from './database.ts'
import { isPostgresDatabase } from './is-postgres-database.ts'

export interface StoreClockParts {
  db: Database
  /** This machine's clock, in milliseconds since the epoch. */
  now: () => number
  /** `null`: no timer; the clocks are compared when `compare` is called. */
  intervalMs?: number | null
}

/** The clock that all machines on a store share. Machines on PostgreSQL may have clocks that differ; SQLite serves one machine. */
export interface StoreClock extends AsyncDisposable {
  /** Milliseconds since the epoch. */
  now(): number
  /** Compares this machine's clock with the store's. */
  compare: Poller['poll']
}

const INTERVAL_MS = 5_000
/** A smaller difference is not corrected, so that the time does not jump with each comparison. */
const TOLERANCE_MS = 100

/** Starts a clock, which has been compared with the store's. While the store does not respond, it keeps the difference that was found last. */
export async function startStoreClock({ db, now, intervalMs = INTERVAL_MS }: StoreClockParts): Promise<StoreClock> {
  const isShared = isPostgresDatabase(db)
  let differenceMs = 0
  const poller = startPoller({ round: compare, intervalMs: isShared ? intervalMs : null, onError: () => {} })

  async function compare(): Promise<void> {
    if (!isShared) return
    const [before, beganAt] = [now(), performance.now()]
    const storeTime = await readPostgresTime(db)
    const durationMs = performance.now() - beganAt
    const foundMs = storeTime - (before + durationMs / 2)
    if (Math.abs(foundMs - differenceMs) > TOLERANCE_MS + durationMs / 2) differenceMs = Math.round(foundMs)
  }

  await poller.poll()
  return {
    now: () => now() + differenceMs,
    compare: poller.poll,
    [Symbol.asyncDispose]: poller[Symbol.asyncDispose],
  }
}

/** Returns the time of the store's clock, in milliseconds since the epoch. SQLite's is this machine's. */
export const readStoreTime = async (db: Database): Promise<number> =>
  isPostgresDatabase(db) ? readPostgresTime(db) : Date.now()

async function readPostgresTime(db: Database): Promise<number> {
  const { rows } = await sql<{ ms: string }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db)
  return Number(rows[0]!.ms)
}
