import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { isPostgresDatabase } from '../is-postgres-database.ts'

/** Serializes transactions of that name until they end. For writes to many rows in no fixed order, which could deadlock. */
export async function acquireAdvisoryLock(transaction: Database, name: string): Promise<void> {
  if (isPostgresDatabase(transaction))
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction)
}
