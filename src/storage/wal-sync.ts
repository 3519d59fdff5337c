import { open } from 'node:fs/promises'
import { SqliteAdapter, sql } from 'kysely'
import type { Database } from './database.ts'

const files = new WeakMap<Database, Promise<string>>()

/**
 * Resolves when what was committed would outlive a loss of power. PostgreSQL sees to that with each commit; SQLite's log is handed to
 * the disk here, off the event loop, for the few commits that must not be lost, instead of with each of them.
 */
export async function syncWal(db: Database, sync: (file: string) => Promise<void> = syncFile): Promise<void> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return
  const file = await fileOf(db)
  if (file !== '') await sync(`${file}-wal`)
}

/** Empty for a store in memory. */
function fileOf(db: Database): Promise<string> {
  const known = files.get(db) ?? asked(db)
  files.set(db, known)
  return known
}

async function asked(db: Database): Promise<string> {
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
