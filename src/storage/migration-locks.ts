import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Database } from './database.ts'
import { isPostgresDatabase } from './is-postgres-database.ts'

const LOCK_NAME = 'forecourt migrations'
const LOCK_POLL_MS = 50
/** How long a migration waits for a table. Statements of servers queue behind it, and fail after five seconds. */
const TABLE_LOCK_TIMEOUT_MS = 1_000
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Runs `work` while no other process migrates. It polls for the lock: a query that waits for it would have a snapshot, and an index that is
 * built concurrently waits for all older snapshots. On SQLite the transaction of each migration is the lock.
 */
export async function withMigrationLock<T>(db: Database, work: () => Promise<T>): Promise<T> {
  if (!isPostgresDatabase(db)) return work()
  return db.connection().execute(async (holder) => {
    const lock = sql`hashtextextended(${LOCK_NAME}, 0)`
    const take = sql<{ isTaken: boolean }>`select pg_try_advisory_lock(${lock}) as "isTaken"`
    while (!(await take.execute(holder)).rows[0]!.isTaken) await pause(LOCK_POLL_MS)
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(${lock})`.execute(holder)
    }
  })
}

/** Makes a migration fail when a table stays locked. Otherwise every server would wait behind it for that table. */
export const limitLockWaits = ({ up }: Migration): Migration => ({
  async up(db: Kysely<unknown>) {
    if (isPostgresDatabase(db)) await sql`set local lock_timeout = ${sql.lit(TABLE_LOCK_TIMEOUT_MS)}`.execute(db)
    await up(db)
  },
})

/** Repeats a migration that found a table locked, and lets the waiting servers go first. Calls `onRetry` before each repetition. */
export async function retryLocked<T>(migrate: () => Promise<T>, onRetry: () => void): Promise<T> {
  for (;;) {
    try {
      return await migrate()
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
      onRetry()
      await pause(Math.random() * TABLE_LOCK_TIMEOUT_MS)
    }
  }
}
