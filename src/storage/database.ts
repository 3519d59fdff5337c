import { Kysely } from 'kysely'
import { isPostgres, redactStoreAddress } from '../config/store-address.ts'
import { forecourtCommand } from '../installed-command-line.ts'
import { applyMigrations, isNewStore, listMissingMigrations } from './apply-migrations.ts'
import { explainDiskFailure } from './explain-disk-failure.ts'
import { explainPoolerRefusal } from './postgres/explain-pooler-refusal.ts'
import { requireTimeouts } from './postgres/require-timeouts.ts'
import { createSqliteDialect, SQLITE_OPEN_TIMEOUT_MS } from './sqlite/sqlite-dialect.ts'
import type { BusyTimeout } from './sqlite/sqlite-driver.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>

/** How long a command, or a server that starts, waits for another process that writes to SQLite. */
export const STARTING_BUSY_TIMEOUT_MS = SQLITE_OPEN_TIMEOUT_MS
/** How long a server waits that accepts requests. All other store queries of the process wait behind. */
export const SERVER_BUSY_TIMEOUT_MS = 250
/** How long a worker waits for another worker that writes: under load, several may be in front of it. */
export const WORKER_BUSY_TIMEOUT_MS = 2_000

/**
 * Opens the store at `sqlite:<path>` (`sqlite::memory:` for a temporary one) or at `postgres://…`. SQLite is migrated. PostgreSQL is
 * only checked: several processes share it, and none of them may change its tables under the others. `onFailure` receives each error of a query.
 */
export async function openDatabase(
  store: string,
  busyTimeout: BusyTimeout = { ms: STARTING_BUSY_TIMEOUT_MS },
  onFailure: (error: unknown) => void = () => {},
): Promise<Database> {
  const prepare = isPostgres(store) ? preparePostgres : (db: Database) => applyMigrations(db)
  return openPrepared(store, { purpose: 'serving', busyTimeout, prepare, onFailure })
}

interface OpenParts {
  purpose: 'serving' | 'migrating'
  busyTimeout: BusyTimeout
  prepare(db: Database): Promise<unknown>
  onFailure?: (error: unknown) => void
}

/** Opens a store once `prepare` has run on it. */
export async function openPrepared(
  store: string,
  { purpose, busyTimeout, prepare, onFailure }: OpenParts,
): Promise<Database> {
  // The PostgreSQL driver is loaded only where it is used.
  const dialect = isPostgres(store)
    ? (await import('./postgres/postgres-dialect.ts')).createPostgresDialect(store, purpose, onFailure)
    : createSqliteDialect(store.slice('sqlite:'.length), busyTimeout, onFailure)
  const db = new Kysely<Tables>({ dialect })
  try {
    await prepare(db)
    return db
  } catch (cause) {
    await db.destroy()
    const explained = explainDiskFailure(cause, store)
    if (explained !== cause) throw explained
    throw new Error(`The store ${redactStoreAddress(store)} cannot be used: ${messageOf(cause)}`, { cause })
  }
}

async function preparePostgres(db: Database): Promise<void> {
  await requireTimeouts(db)
  await requireMigrations(db)
}

async function requireMigrations(db: Database): Promise<void> {
  const missing = await listMissingMigrations(db)
  if (missing.length === 0) return
  const lacked = (await isNewStore(db)) ? 'it has no tables yet' : `it lacks ${missing.join(', ')}`
  throw new Error(`${lacked}. Run: ${forecourtCommand} migrate`)
}

/** A refused connection to a host with several addresses has a code and no message. */
function messageOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return explainPoolerRefusal(message ?? '') ?? (message || code || String(error))
}
