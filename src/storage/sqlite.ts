import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { type Patience, sqliteDriver } from './sqlite-driver.ts'

/** How long opening, and migrating, wait for another process that does. */
export const OPENING_MS = 10_000

/** Kysely's SQLite over Node's built-in driver: no native module to install. */
export function sqliteDialect(path: string, patience: Patience): Dialect {
  const database = opened(path)
  return {
    createDriver: () => sqliteDriver(database, patience),
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
function madeReady(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600))
}

/** Readable by this account alone, like all that stands beside it. */
function opened(path: string): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    if (path !== ':memory:') madeReady(path)
    database = new DatabaseSync(path, { timeout: OPENING_MS })
    database.exec('select count(*) from sqlite_schema')
    database.exec(
      'pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on; pragma busy_timeout = 0',
    )
    return database
  } catch (cause) {
    database?.close()
    const said = cause instanceof Error ? cause.message : String(cause)
    const remedy = 'Set FORECOURT_DATA to a folder that this account may write, or put a backup of the store there'
    throw new Error(`The store ${path} cannot be opened (${said}). ${remedy}.`, { cause })
  }
}
