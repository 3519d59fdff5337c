import { type Kysely, SqliteAdapter, sql } from 'kysely'
import type { Database } from './database.ts'

/** Returns whether the store locks single rows. A SQLite transaction locks the whole store when it begins. */
export const hasRowLocks = (db: Pick<Kysely<unknown>, 'getExecutor'>) =>
  !(db.getExecutor().adapter instanceof SqliteAdapter)

/** Serializes transactions of that name until they end. For writes to many rows in no fixed order, which could deadlock. */
export async function acquireAdvisoryLock(transaction: Database, name: string): Promise<void> {
  if (hasRowLocks(transaction))
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction)
}
