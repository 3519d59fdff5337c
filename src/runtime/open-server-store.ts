import type { Config } from '../config/config.ts'
import { isPostgres } from '../config/store-address.ts'
import { openDatabase, STARTING_BUSY_TIMEOUT_MS } from '../storage/database.ts'
import { releaseDeadHolders } from '../storage/release-dead-holders.ts'
import { acquireServerLock } from '../storage/sqlite/sqlite-server-lock.ts'
import { createStoreMonitor } from '../storage/store-monitor.ts'

interface ServerStoreParts {
  now: () => number
  stack: AsyncDisposableStack
  isWorker: boolean
}

/** Opens the store of a server, with its lock and its monitor, which `stack` closes. */
export async function openServerStore(config: Config, { now, stack, isWorker }: ServerStoreParts) {
  if (!isWorker) stack.use(await acquireServerLock(config.store))
  const store = createStoreMonitor({ now })
  const busyTimeout = { ms: STARTING_BUSY_TIMEOUT_MS }
  const db = await openDatabase(config.store, busyTimeout, store.recordFailure)
  stack.defer(() => db.destroy())
  stack.use(store)
  if (!isWorker && !isPostgres(config.store)) await releaseDeadHolders(db, new Date(now()).toISOString())
  return { db, store, busyTimeout }
}
