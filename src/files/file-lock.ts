import { DatabaseSync } from 'node:sqlite'

/** SQLite's code for a lock that is held elsewhere. */
const BUSY = 5

/**
 * Takes an exclusive lock on a file, which is created when it does not exist, or returns `null` when this or another process
 * already holds it. It is a lock of the operating system, so it ends with the process.
 */
export function tryLockFile(path: string): Disposable | null {
  // Without a timeout: SQLite would block the event loop while it waits.
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    // Nothing is ever written there.
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return { [Symbol.dispose]: () => lock.close() }
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode === BUSY) return null
    throw error
  }
}

/** Takes a shared lock on a file: `tryLockFile` returns `null` until all of them have ended. `null`: somebody holds it exclusively. */
export function tryShareFile(path: string): Disposable | null {
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    // Reading inside of a transaction keeps the lock.
    lock.exec('pragma journal_mode = memory; begin; select count(*) from sqlite_master')
    return { [Symbol.dispose]: () => lock.close() }
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode === BUSY) return null
    throw error
  }
}
