import { realpathSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { isPostgres, redactStoreAddress } from '../config/store-address.ts'
import { ensureStoreFile, toStoreOpenError } from './sqlite-dialect.ts'
import { isSqliteBusy } from './sqlite-driver.ts'

/** How long a server that is ending is waited for. */
const HANDOVER_MS = 2_000
const PAUSE_MS = 50

/**
 * Keeps a SQLite store for one server: what another writes there, this one's caches and feeds would not hear of. Commands share it.
 * The lock is the operating system's, on an empty file beside the store: it goes with the process, however that ends.
 */
export async function acquireServerLock(store: string, patienceMs = HANDOVER_MS): Promise<Disposable> {
  const path = store.slice('sqlite:'.length)
  if (isPostgres(store) || path === ':memory:') return { [Symbol.dispose]() {} }
  const lock = lockOf(path)
  for (const end = Date.now() + patienceMs; ; await pause(PAUSE_MS)) {
    try {
      // Nothing is ever written there.
      lock.exec('pragma journal_mode = memory; begin exclusive')
      return { [Symbol.dispose]: () => lock.close() }
    } catch (cause) {
      if (isSqliteBusy(cause) && Date.now() < end) continue
      lock.close()
      if (!isSqliteBusy(cause)) throw toStoreOpenError(`${path}.serving`, cause)
      const remedy =
        'Stop that one, give this one a store of its own, or use PostgreSQL, which several share (docs/store.md)'
      throw new Error(`The store ${redactStoreAddress(store)} is served by another process already. ${remedy}.`, {
        cause,
      })
    }
  }
}

/** It does not wait by itself: SQLite would with the event loop, and with that everything else that starts. */
function lockOf(path: string): DatabaseSync {
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
