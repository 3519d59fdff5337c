import { applyMigrations, listLaterMigrations, listMissingMigrations } from './apply-migrations.ts'
import { type Database, openPrepared, STARTING_BUSY_TIMEOUT_MS } from './database.ts'

/** Brings any store up to date and returns the names of the applied migrations. `onLocked` receives the name of one that waits for a table. */
export async function migrateStore(store: string, onLocked?: (migration: string) => void): Promise<string[]> {
  let applied: string[] = []
  const prepare = async (opening: Database) => {
    applied = await applyMigrations(opening, onLocked)
  }
  const db = await openPrepared(store, { purpose: 'migrating', busyTimeout: { ms: STARTING_BUSY_TIMEOUT_MS }, prepare })
  await db.destroy()
  return applied
}

/** Compares the migrations of a store with those of this release, and changes nothing. */
export async function compareMigrations(store: string): Promise<{ missing: string[]; later: string[] }> {
  let result: { missing: string[]; later: string[] } = { missing: [], later: [] }
  const prepare = async (db: Database) => {
    result = { missing: await listMissingMigrations(db), later: await listLaterMigrations(db) }
  }
  const db = await openPrepared(store, { purpose: 'serving', busyTimeout: { ms: STARTING_BUSY_TIMEOUT_MS }, prepare })
  await db.destroy()
  return result
}
