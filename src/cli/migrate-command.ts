import { redactStoreAddress } from '../config/store-address.ts'
import { migrateStore } from '../storage/database.ts'
import { readCommandConfig } from './command-config.ts'
import { print, printJson } from './print.ts'
import type { StoreCommandOptions } from './with-store.ts'

/** Applies the migrations that a store lacks, and prints their names. */
export async function runMigrate(options: StoreCommandOptions): Promise<void> {
  const { store } = readCommandConfig(options.config)
  const applied = await migrateStore(store)
  if (options.json) return printJson({ store: redactStoreAddress(store), applied })
  for (const name of applied) print(`Applied ${name}`)
  print(`${redactStoreAddress(store)} ${applied.length === 0 ? 'was already up to date' : 'is now up to date'}.`)
}
