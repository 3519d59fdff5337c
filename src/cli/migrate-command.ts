import { redactStoreAddress } from '../config/store-address.ts'
import { throttleLog } from '../lifecycle/log-throttle.ts'
import { migrateStore } from '../storage/database.ts'
import { readCommandConfig } from './command-config.ts'
import { print, printError, printJson } from './print.ts'
import type { StoreCommandOptions } from './with-store.ts'

const WAIT_INTERVAL_MS = 10_000

/** Applies the migrations that a store lacks, and prints their names. */
export async function runMigrate(options: StoreCommandOptions): Promise<void> {
  const { store } = readCommandConfig(options.config)
  const applied = await migrateStore(
    store,
    throttleLog(printWait, { now: () => performance.now(), intervalMs: WAIT_INTERVAL_MS }),
  )
  if (options.json) return printJson({ store: redactStoreAddress(store), applied })
  for (const name of applied) print(`Applied ${name}`)
  print(`${redactStoreAddress(store)} ${applied.length === 0 ? 'was already up to date' : 'is now up to date'}.`)
}

function printWait(migration: string): void {
  const query =
    'select pid, application_name, xact_start, query from pg_stat_activity where datname = current_database() and xact_start is not null order by xact_start'
  printError(
    `Migration ${migration} waits for a table that another transaction holds, and keeps trying. To see the open transactions, oldest first: ${query}`,
  )
}
