import { execFileSync } from 'node:child_process'
import { closeSync, copyFileSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { isPostgres, redactStoreAddress } from '../../config/store-address.ts'
import { openDatabase } from '../../storage/database.ts'
import { disarmRestoredStore } from '../../storage/disarm-restored-store.ts'
import { migrateStore } from '../../storage/migrate-store.ts'
import { UsageError } from '../usage-error.ts'

const SQLITE_HEADER = 'SQLite format 3\0'

/**
 * Restores a backup into a new SQLite store in a folder, or into an empty PostgreSQL database, and brings it up to date. Returns its address.
 * A server that is started on it sends nothing: endpoints are disabled, and pending orders are left to the real server.
 */
export async function restoreBackup(backup: string, { folder, database }: { folder: string; database?: string }) {
  const store = isSqliteFile(backup) ? restoreSqlite(backup, folder) : restorePostgres(backup, database)
  await migrateStore(store)
  const db = await openDatabase(store)
  try {
    await disarmRestoredStore(db)
  } finally {
    await db.destroy()
  }
  return store
}

function isSqliteFile(path: string): boolean {
  const header = Buffer.alloc(SQLITE_HEADER.length)
  const fd = openSync(path, 'r')
  readSync(fd, header)
  closeSync(fd)
  return header.toString('latin1') === SQLITE_HEADER
}

function restoreSqlite(backup: string, folder: string): string {
  const path = join(folder, 'forecourt.db')
  copyFileSync(backup, path)
  return `sqlite:${path}`
}

function restorePostgres(backup: string, database: string | undefined): string {
  if (!database)
    throw new UsageError(
      'This is not a SQLite file. To restore a file of pg_dump -Fc, name an empty database: --database postgres://…',
    )
  if (!isPostgres(database)) throw new UsageError('--database takes the URL of an empty PostgreSQL database')
  const target = new URL(database)
  // libpq does not know this parameter.
  target.searchParams.delete('statement_timeout')
  try {
    // It stops at the first table that exists already: the database must be empty.
    execFileSync('pg_restore', ['--no-owner', '--no-privileges', '--exit-on-error', '--dbname', target.href, backup], {
      stdio: ['ignore', 'inherit', 'pipe'],
    })
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string }
    throw new UsageError(
      `${backup} cannot be restored into ${redactStoreAddress(database)}: ${String(stderr ?? message).trim()}`,
    )
  }
  return database
}
