import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import * as keysAndSessions from './migrations/001-keys-and-sessions.ts'
import * as shoppersCartsOrders from './migrations/002-shoppers-carts-orders.ts'
import { sqliteDialect } from './sqlite.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>

const migrations = {
  '001-keys-and-sessions': keysAndSessions,
  '002-shoppers-carts-orders': shoppersCartsOrders,
}

/** How long a command waits for another process that is writing. */
const PATIENCE_MS = 5_000
/** How long a server does: node:sqlite waits with the event loop, and with it everybody. */
export const SERVER_PATIENCE_MS = 50

/** Opens the store at `sqlite:<path>` (`sqlite::memory:` for a passing one) and brings its tables up to date. */
export async function openDatabase(store: string, patienceMs: number = PATIENCE_MS): Promise<Database> {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(store.slice('sqlite:'.length)) })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error)
    throw new Error(
      `The store ${store} could not be brought up to date: ${error instanceof Error ? error.message : error}`,
      {
        cause: error,
      },
    )
  await sql`pragma busy_timeout = ${sql.lit(patienceMs)}`.execute(db)
  return db
}
