import { resolve } from 'node:path'
import { isPostgres } from '../config/store-address.ts'
import { backUpSqliteStore } from '../storage/sqlite-backup.ts'
import { readCommandConfig } from './command-config.ts'
import { print, printJson } from './print.ts'
import { UsageError } from './usage-error.ts'

/** Copies the embedded store to a new file, while servers go on. */
export async function runBackup(options: { to: string; config?: string; json?: boolean }): Promise<void> {
  const store = readCommandConfig(options.config).store
  if (isPostgres(store)) throw new UsageError('The store is PostgreSQL: copy it with pg_dump')
  const to = resolve(options.to)
  backUpSqliteStore(store.slice('sqlite:'.length), to)
  if (options.json) return printJson({ store, to })
  print(`${store} is copied to ${to}`)
}
