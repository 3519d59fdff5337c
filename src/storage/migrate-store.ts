import { applyMigrations, isNewStore, listLaterMigrations, listMissingMigrations } from './apply-migrations.ts'
import { type Database, openPrepared, STARTING_BUSY_TIMEOUT_MS } from './database.ts'

export interface MigrationComparison {
  /** The store has no tables of Forecourt. */
  isNew: boolean
  missing: string[]
  /** Applied by a later release. */
  later: string[]
}

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

/** Creates the tables of a store that has none. Returns false if it has some: servers may run on it, and only `migrate` may change it. */
export async function migrateNewStore(store: string): Promise<boolean> {
  const { isNew } = await compareMigrations(store)
  if (isNew) await migrateStore(store)
  return isNew
}

/** Compares the migrations of a store with those of this release, and changes nothing. */
export async function compareMigrations(store: string): Promise<MigrationComparison> {
  let result: MigrationComparison = { isNew: true, missing: [], later: [] }
  const prepare = async (db: Database) => {
    result = {
      isNew: await isNewStore(db),
      missing: await listMissingMigrations(db),
      later: await listLaterMigrations(db),
    }
  }
  const db = await openPrepared(store, { purpose: 'serving', busyTimeout: { ms: STARTING_BUSY_TIMEOUT_MS }, prepare })
  await db.destroy()
  return result
}
