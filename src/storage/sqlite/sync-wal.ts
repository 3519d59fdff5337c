import type { Database } from '../database.ts'
import { SharedFileAdapter } from './shared-file-adapter.ts'
import type { WalFile } from './wal-file.ts'

/**
 * Resolves when the committed transactions would survive a loss of power. PostgreSQL ensures that with each commit. SQLite's log is
 * synced here, off the event loop, and only for the few commits that must not be lost.
 */
export const syncWal = async (db: Database): Promise<void> => findWalFile(db)?.sync()

/** `null`: PostgreSQL, or a store in memory. */
export function findWalFile(db: Database): WalFile | null {
  const { adapter } = db.getExecutor()
  return adapter instanceof SharedFileAdapter ? adapter.walFile : null
}
