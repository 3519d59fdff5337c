import { resolve } from 'node:path'
import { isPostgres } from '../config/store-address.ts'
import { backUpSqliteStore } from '../storage/sqlite/sqlite-backup.ts'
import { readCommandConfig } from './command-config.ts'
import { print, printJson } from './print.ts'
import { UsageError } from './usage-error.ts'
import { requireStore, type StoreCommandOptions } from './with-store.ts'

/** Copies the SQLite store to a new file while servers run. */
export async function runBackup(options: StoreCommandOptions & { to: string }): Promise<void> {
  const { store } = readCommandConfig(options.config)
  if (isPostgres(store)) throw new UsageError('The store is PostgreSQL: back it up with pg_dump')
  requireStore(store)
  const to = resolve(options.to)
  backUpSqliteStore(store.slice('sqlite:'.length), to)
  if (options.json) return printJson({ store, to })
  print(`Copied ${store} to ${to}`)
}
