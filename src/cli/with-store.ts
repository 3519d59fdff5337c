import { isPostgres } from '../config/store-address.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { fileExists } from './file-exists.ts'
import { UsageError } from './usage-error.ts'

/** The options of every command that works on a store. */
export interface StoreCommandOptions {
  config?: string
  json?: boolean
}

/** Returns whether the store exists. Throws UsageError when this account may not read it. Opening a SQLite store in the wrong folder would create an empty one. */
export const hasStore = (store: string): boolean => isPostgres(store) || fileExists(store.slice('sqlite:'.length))

/** Throws UsageError when there is no store. */
export function requireStore(store: string): void {
  if (hasStore(store)) return
  throw new UsageError(
    `There is no store at ${store} yet. Run this where the server runs, or name its configuration with --config`,
  )
}

/** Runs a command's work on a store, which must exist, and closes the store afterwards. */
export async function withExistingStore<T>(store: string, work: (db: Database) => Promise<T>): Promise<T> {
  requireStore(store)
  return withStore(store, work)
}

/** Runs a command's work on a store, which is created if it does not exist, and closes the store afterwards. */
export async function withStore<T>(store: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(store)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}
