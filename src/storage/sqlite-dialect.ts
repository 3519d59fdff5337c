import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { makeFolder } from '../lifecycle/make-folder.ts'
import { type BusyTimeout, createSqliteDriver, isSqliteBusy } from './sqlite-driver.ts'

/** How long opening, and migrating, wait for another process that does. */
export const SQLITE_OPEN_TIMEOUT_MS = 10_000
const PAUSE_MS = 10

/** Kysely's SQLite over Node's built-in driver: no native module to install. */
export function createSqliteDialect(path: string, patience: BusyTimeout): Dialect {
  const database = opened(path)
  return {
    createDriver: () => createSqliteDriver(database, patience),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SharedFileAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

class SharedFileAdapter extends SqliteAdapter {
  /** A migration is one transaction, so that processes that start at once do not make the same table. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  /** The driver gives out turns itself. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** What SQLite puts beside the file has the rights that the file has. */
export function ensureStoreFile(path: string): void {
  makeFolder(dirname(path), 0o700)
  // What is there is not opened: closing it would let go of all locks that this process has on it.
  if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
  else closeSync(openSync(path, 'a', 0o600))
}

/** Readable by this account alone, like all that stands beside it. */
function opened(path: string): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    if (path !== ':memory:') ensureStoreFile(path)
    database = new DatabaseSync(path, { timeout: SQLITE_OPEN_TIMEOUT_MS })
    database.exec('select count(*) from sqlite_schema')
    toWal(database)
    database.exec('pragma synchronous = normal; pragma foreign_keys = on; pragma busy_timeout = 0')
    return database
  } catch (cause) {
    database?.close()
    throw toStoreOpenError(path, cause)
  }
}

/** Where several turn a new store to WAL at once, SQLite refuses all but one without any waiting: they would wait for each other. */
function toWal(database: DatabaseSync): void {
  const nobody = new Int32Array(new SharedArrayBuffer(4))
  for (const end = Date.now() + SQLITE_OPEN_TIMEOUT_MS; ; Atomics.wait(nobody, 0, 0, PAUSE_MS)) {
    try {
      database.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      if (!isSqliteBusy(error) || Date.now() > end) throw error
    }
  }
}

export function toStoreOpenError(path: string, cause: unknown): Error {
  const said = cause instanceof Error ? cause.message : String(cause)
  const remedy = 'Set FORECOURT_DATA to a folder that this account may write, or put a backup of the store there'
  return new Error(`The store ${path} cannot be opened (${said}). ${remedy}.`, { cause })
}
