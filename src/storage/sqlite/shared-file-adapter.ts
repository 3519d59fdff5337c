import { SqliteAdapter } from 'kysely'
import type { WalFile } from './wal-file.ts'

/** Kysely's SQLite adapter for a store file that several processes share. */
export class SharedFileAdapter extends SqliteAdapter {
  /** `null`: a store in memory. */
  readonly walFile: WalFile | null

  constructor(walFile: WalFile | null) {
    super()
    this.walFile = walFile
  }

  /** A migration is one transaction, so that processes that start at once do not create the same table. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  /** The driver queues callers itself. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}
