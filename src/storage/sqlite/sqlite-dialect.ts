import { realpathSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type Dialect, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { isSqliteBusy } from '../store-errors.ts'
import { ensureStoreFile } from './ensure-store-file.ts'
import { SharedFileAdapter } from './shared-file-adapter.ts'
import { type BusyTimeout, createSqliteDriver } from './sqlite-driver.ts'
import { toStoreOpenError } from './store-open-error.ts'
import { BACKSTOP_PAGES, createWalCheckpoints, MIN_CHECKPOINT_BYTES } from './wal-checkpoints.ts'
import { openWalFile, type WalFile } from './wal-file.ts'

/** How long opening and migrating wait for another process. */
export const SQLITE_OPEN_TIMEOUT_MS = 10_000
const RETRY_PAUSE_MS = 10

/** Kysely's SQLite dialect over Node's built-in driver: no native module to install. */
export function createSqliteDialect(
  path: string,
  busyTimeout: BusyTimeout,
  onFailure: (error: unknown) => void = () => {},
): Dialect {
  const { database, walFile } = openSqlite(path)
  const checkpoints = walFile && createWalCheckpoints(walFile)
  return {
    createDriver: () => createSqliteDriver({ database, busyTimeout, walFile, checkpoints, onFailure }),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SharedFileAdapter(walFile),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

function openSqlite(path: string): { database: DatabaseSync; walFile: WalFile | null } {
  let database: DatabaseSync | undefined
  try {
    const isInMemory = path === ':memory:'
    if (!isInMemory) ensureStoreFile(path)
    // SQLite puts the log beside the file that a symbolic link names. It would read a path that begins with "file:" as a URL.
    const storeFile = isInMemory ? path : realpathSync(path)
    database = new DatabaseSync(storeFile, { timeout: SQLITE_OPEN_TIMEOUT_MS })
    database.exec('select count(*) from sqlite_schema')
    enableWal(database)
    // Temporary tables need neither room on the disk nor a file descriptor.
    database.exec(
      'pragma synchronous = normal; pragma foreign_keys = on; pragma busy_timeout = 0; pragma temp_store = memory',
    )
    database.exec(`pragma wal_autocheckpoint = ${BACKSTOP_PAGES}; pragma journal_size_limit = ${MIN_CHECKPOINT_BYTES}`)
    // The first read in WAL mode creates the log.
    database.exec('select count(*) from sqlite_schema')
    return { database, walFile: isInMemory ? null : openWalFile(storeFile) }
  } catch (cause) {
    database?.close()
    throw toStoreOpenError(path, cause)
  }
}

/** Retries itself: SQLite ignores its busy timeout here, because processes that switch a new store to WAL at once would deadlock. */
function enableWal(database: DatabaseSync): void {
  const never = new Int32Array(new SharedArrayBuffer(4))
  for (const end = Date.now() + SQLITE_OPEN_TIMEOUT_MS; ; Atomics.wait(never, 0, 0, RETRY_PAUSE_MS)) {
    try {
      database.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      if (!isSqliteBusy(error) || Date.now() > end) throw error
    }
  }
}
