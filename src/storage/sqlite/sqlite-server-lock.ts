import { realpathSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { isPostgres, redactStoreAddress } from '../../config/store-address.ts'
import { isSqliteBusy } from '../store-errors.ts'
import { ensureStoreFile } from './ensure-store-file.ts'
import { toStoreOpenError } from './store-open-error.ts'

/** How long a new server waits for one that is shutting down. */
const HANDOVER_TIMEOUT_MS = 2_000
const PAUSE_MS = 50

/** Another process serves the store. */
export class StoreServedError extends Error {}

/**
 * Reserves a SQLite store for one server: the caches and feeds of a second one would not learn of the first one's writes. Commands may
 * still use the store. The lock is an operating system lock on an empty file next to it, which ends with the process.
 */
export async function acquireServerLock(store: string, timeoutMs = HANDOVER_TIMEOUT_MS): Promise<Disposable> {
  const path = store.slice('sqlite:'.length)
  if (isPostgres(store) || path === ':memory:') return { [Symbol.dispose]() {} }
  const lock = openLockFile(path)
  for (const end = Date.now() + timeoutMs; ; await pause(PAUSE_MS)) {
    try {
      // Nothing is ever written there.
      lock.exec('pragma journal_mode = memory; begin exclusive')
      return { [Symbol.dispose]: () => lock.close() }
    } catch (cause) {
      if (isSqliteBusy(cause) && Date.now() < end) continue
      lock.close()
      if (!isSqliteBusy(cause)) throw toStoreOpenError(`${path}.serving`, cause)
      const remedy =
        'Stop that process, give this one another store (FORECOURT_DATA sets its folder), or use PostgreSQL, which several processes can share (docs/store.md)'
      throw new StoreServedError(
        `The store ${redactStoreAddress(store)} is already served by another process. ${remedy}.`,
        { cause },
      )
    }
  }
}

/** Opened without a busy timeout: SQLite would block the event loop while it waits. */
function openLockFile(path: string): DatabaseSync {
  let file = path
  try {
    ensureStoreFile(path)
    file = `${realpathSync(path)}.serving`
    ensureStoreFile(file)
    return new DatabaseSync(file, { timeout: 0 })
  } catch (cause) {
    throw toStoreOpenError(file, cause)
  }
}
