import { sql } from 'kysely'
import type { Database } from './database.ts'
import { isPostgresDatabase } from './is-postgres-database.ts'

const MAX_DATE = '9999-01-01T00:00:00.000Z'

/**
 * Makes a restored copy of a store harmless: a server on it sends no events, because endpoints are disabled, and leaves pending orders to the
 * real server. Throws if a SQLite file is damaged.
 */
export async function disarmRestoredStore(db: Database): Promise<void> {
  if (!isPostgresDatabase(db)) await requireIntegrity(db)
  await db.updateTable('subscriptions').set({ status: 'DISABLED' }).execute()
  // `told`: a server that starts releases the orders that no shopper knows of, and would send them.
  await db.updateTable('orders').set({ leased_until: MAX_DATE, told: 1 }).where('status', '=', 'PENDING').execute()
}

async function requireIntegrity(db: Database): Promise<void> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
  const found = rows.map(({ integrity_check }) => integrity_check)
  if (found.join() !== 'ok') throw new Error(`The backup is damaged: ${found.slice(0, 5).join('; ')}`)
}
