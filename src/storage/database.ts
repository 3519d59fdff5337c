import { Kysely } from 'kysely'
import { isPostgres, redactStoreAddress } from '../config/store-address.ts'
import { applyMigrations, missingMigrations } from './apply-migrations.ts'
import { createSqliteDialect, SQLITE_OPEN_TIMEOUT_MS } from './sqlite-dialect.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>

/** How long a command waits for another process that is writing to SQLite. */
const PATIENCE_MS = 5_000
/** How long a server does: all that it asks of the store waits behind. */
export const SERVER_BUSY_TIMEOUT_MS = 250

/**
 * Opens the store at `sqlite:<path>` (`sqlite::memory:` for a passing one), whose tables are brought up to date, or at `postgres://…`,
 * which is only looked at: several processes share it, and one of them must not change it under the others.
 */
export async function openDatabase(store: string, patienceMs: number = PATIENCE_MS): Promise<Database> {
  return opened(store, 'serving', patienceMs, isPostgres(store) ? refuseOldTables : applyMigrations)
}

/** Brings any store up to date, and gives the names of the migrations that it took. */
export async function migrateStore(store: string): Promise<string[]> {
  let applied: string[] = []
  const db = await opened(store, 'migrating', PATIENCE_MS, async (opening) => {
    applied = await applyMigrations(opening)
  })
  await db.destroy()
  return applied
}

async function opened(
  store: string,
  purpose: 'serving' | 'migrating',
  patienceMs: number,
  prepare: (db: Database) => Promise<unknown>,
): Promise<Database> {
  const patience = { ms: SQLITE_OPEN_TIMEOUT_MS }
  // A driver that is not used is not held in memory.
  const dialect = isPostgres(store)
    ? (await import('./postgres-dialect.ts')).createPostgresDialect(store, purpose)
    : createSqliteDialect(store.slice('sqlite:'.length), patience)
  const db = new Kysely<Tables>({ dialect })
  try {
    await prepare(db)
    patience.ms = patienceMs
    return db
  } catch (cause) {
    await db.destroy()
    throw new Error(`The store ${redactStoreAddress(store)} cannot be used: ${said(cause)}`, { cause })
  }
}

async function refuseOldTables(db: Database): Promise<void> {
  const missing = await missingMigrations(db)
  if (missing.length > 0) throw new Error(`it lacks ${missing.join(', ')}. Run: npx forecourt migrate`)
}

/** A refused connection to a host with several addresses has a code and no words. */
function said(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return message || code || String(error)
}
