import { resolve } from 'node:path'
import { backUp } from '../storage/sqlite-backup.ts'
import { isPostgres } from '../config/store-address.ts'
import { configured } from './command-config.ts'
import { print, printJson } from './print.ts'
import { UsageError } from './usage-error.ts'

/** Copies the embedded store to a new file, while servers go on. */
export async function backup(options: { to: string; config?: string; json?: boolean }): Promise<void> {
  const store = configured(options.config).store
  if (isPostgres(store)) throw new UsageError('The store is PostgreSQL: copy it with pg_dump')
  const to = resolve(options.to)
  backUp(store.slice('sqlite:'.length), to)
  if (options.json) return printJson({ store, to })
  print(`${store} is copied to ${to}`)
}
