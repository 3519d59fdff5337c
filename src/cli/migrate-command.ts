import { redactStoreAddress } from '../config/store-address.ts'
import { throttleLog } from '../lifecycle/log-throttle.ts'
import { compareMigrations, migrateStore } from '../storage/migrate-store.ts'
import { readCommandConfig } from './command-config.ts'
import { print, printError, printJson } from './print.ts'
import { requireStore, type StoreCommandOptions } from './with-store.ts'

const WAIT_INTERVAL_MS = 10_000

/** The exit code of a check that found migrations to apply. */
const MIGRATIONS_FOUND = 1

/** Applies the migrations that a store lacks, and prints their names. With `check`, it only prints them. */
export async function runMigrate(options: StoreCommandOptions & { check?: boolean }): Promise<void> {
  const { store } = readCommandConfig(options.config)
  if (options.check) return checkMigrations(store, options.json === true)
  const applied = await migrateStore(
    store,
    throttleLog(printWait, { now: () => performance.now(), intervalMs: WAIT_INTERVAL_MS }),
  )
  if (options.json) return printJson({ store: redactStoreAddress(store), applied })
  for (const name of applied) print(`Applied ${name}`)
  print(`${redactStoreAddress(store)} ${applied.length === 0 ? 'was already up to date' : 'is now up to date'}.`)
}

async function checkMigrations(store: string, isJson: boolean): Promise<void> {
  requireStore(store)
  const { missing, later } = await compareMigrations(store)
  if (missing.length > 0) process.exitCode = MIGRATIONS_FOUND
  const address = redactStoreAddress(store)
  if (isJson) return printJson({ store: address, missing, later })
  for (const name of missing) print(`Missing ${name}`)
  for (const name of later) print(`Applied by a later release: ${name}`)
  print(
    missing.length === 0
      ? `${address} is up to date.`
      : `${address} is not up to date. Servers of the previous release keep running while \`migrate\` runs.`,
  )
}

function printWait(migration: string): void {
  const query =
    'select pid, application_name, xact_start, query from pg_stat_activity where datname = current_database() and pid in (select pid from pg_locks where relation is not null) and pid <> pg_backend_pid() order by xact_start'
  printError(
    `Migration ${migration} waits for a table that another transaction has locked, and keeps trying. To see the transactions that lock tables, oldest first: ${query}`,
  )
}
