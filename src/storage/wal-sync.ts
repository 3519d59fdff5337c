import { open } from 'node:fs/promises'
import { SqliteAdapter, sql } from 'kysely'
import type { Database } from './database.ts'

const files = new WeakMap<Database, Promise<string>>()

/**
 * Resolves when the committed transactions would survive a loss of power. PostgreSQL ensures that with each commit. SQLite's log is
 * synced here, off the event loop, and only for the few commits that must not be lost.
 */
export async function syncWal(db: Database, sync: (file: string) => Promise<void> = syncFile): Promise<void> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return
  const file = await storeFile(db)
  if (file !== '') await sync(`${file}-wal`)
}

/** Returns the path of a SQLite store; empty for one in memory. */
function storeFile(db: Database): Promise<string> {
  const file = files.get(db) ?? readStoreFile(db)
  files.set(db, file)
  return file
}

async function readStoreFile(db: Database): Promise<string> {
  const { rows } = await sql<{ name: string; file: string }>`pragma database_list`.execute(db)
  return rows.find(({ name }) => name === 'main')?.file ?? ''
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
}
