import { migrateStore } from '../storage/database.ts'
import { storeName } from '../config/store-address.ts'
import { configured } from './command-config.ts'
import { print, printJson } from './print.ts'

/** Brings the tables of a store up to date, and says what that took. */
export async function migrate(options: { config?: string; json?: boolean }): Promise<void> {
  const store = configured(options.config).store
  const applied = await migrateStore(store)
  if (options.json) return printJson({ store: storeName(store), applied })
  for (const name of applied) print(`Applied ${name}`)
  print(`${storeName(store)} ${applied.length === 0 ? 'was up to date' : 'is up to date'}.`)
}
