import { redactStoreAddress } from '../config/store-address.ts'
import { migrateStore } from '../storage/database.ts'
import { readCommandConfig } from './command-config.ts'
import { print, printJson } from './print.ts'

/** Brings the tables of a store up to date, and says what that took. */
export async function runMigrate(options: { config?: string; json?: boolean }): Promise<void> {
  const store = readCommandConfig(options.config).store
  const applied = await migrateStore(store)
  if (options.json) return printJson({ store: redactStoreAddress(store), applied })
  for (const name of applied) print(`Applied ${name}`)
  print(`${redactStoreAddress(store)} ${applied.length === 0 ? 'was up to date' : 'is up to date'}.`)
}
