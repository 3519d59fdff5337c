import { existsSync } from 'node:fs'
import { isPostgres } from '../config/store-address.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { UsageError } from './usage-error.ts'

/** Opening a SQLite store makes it: in the wrong folder, an empty one. */
export const hasStore = (store: string): boolean => isPostgres(store) || existsSync(store.slice('sqlite:'.length))

export function requireStore(store: string): void {
  if (!hasStore(store))
    throw new UsageError(`There is no store at ${store} yet. Run this where the server runs, or name its --config`)
}

/** Opens a store for a command's work, and lets go of it whatever becomes of that. */
export async function withStore<T>(store: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(store)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}
