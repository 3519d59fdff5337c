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
 * Runs `work` while no other process migrates. A transaction holds the lock, because a pooler of connections may give each transaction another
 * session of PostgreSQL. `requireLock` rejects if the transaction has ended. On SQLite the transaction of each migration is the lock.
 */
export async function withMigrationLock<T>(
  db: Database,
  work: (requireLock: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  if (!isPostgresDatabase(db)) return work(async () => {})
  for (;;) {
    const outcome = await db
      .transaction()
      .setIsolationLevel('read committed')
      .execute(
        async (holder) => (await takeLock(holder)) && { result: await work(() => sql`select 1`.execute(holder)) },
      )
    if (outcome) return outcome.result
    await pause(LOCK_POLL_MS)
  }
}

/**
 * Returns whether the transaction has got the lock. It does not wait, and a transaction without the lock must end: an index that is built
 * concurrently waits for each transaction that it has seen with a snapshot, and a query has one. An idle transaction has none.
 */
async function takeLock(transaction: Database): Promise<boolean> {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
  const lock = sql`hashtextextended(${LOCK_NAME}, 0)`
  const { rows } = await sql<{ isTaken: boolean }>`select pg_try_advisory_xact_lock(${lock}) as "isTaken"`.execute(
    transaction,
  )
  return rows[0]!.isTaken
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
