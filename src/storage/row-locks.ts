import { SqliteAdapter, sql } from 'kysely'
import type { Database } from './database.ts'

/** Whether rows can be held one by one. SQLite's transactions take the right to write as they begin: there is nothing to hold. */
export const hasRowLocks = (db: Database) => !(db.getExecutor().adapter instanceof SqliteAdapter)

/** Work of that name goes on in one transaction at a time, until its end: what changes many rows in any order would meet itself. */
export async function acquireAdvisoryLock(transaction: Database, name: string): Promise<void> {
  if (hasRowLocks(transaction))
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction)
}
