import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Database } from './database.ts'
import * as keysAndSessions from './migrations/001-keys-and-sessions.ts'
import * as shoppersCartsOrders from './migrations/002-shoppers-carts-orders.ts'
import * as webhooks from './migrations/003-webhooks.ts'
import * as fitments from './migrations/004-fitments.ts'
import * as pictureKey from './migrations/005-picture-key.ts'
import * as diagnostics from './migrations/006-diagnostics.ts'

/** In order. A migration adds and never takes away, so that the version before goes on working over it. */
const migrations = {
  '001-keys-and-sessions': keysAndSessions,
  '002-shoppers-carts-orders': shoppersCartsOrders,
  '003-webhooks': webhooks,
  '004-fitments': fitments,
  '005-picture-key': pictureKey,
  '006-diagnostics': diagnostics,
}

const UNKNOWN_TABLE = '42P01'

/** What a store lacks, found without writing to it. */
export async function missingMigrations(db: Database): Promise<string[]> {
  const there = await appliedMigrations(db)
  return Object.keys(migrations).filter((name) => !there.includes(name))
}

/** Brings a store up to date, and gives what that took. Any number of processes may do it at once: one does, the others wait. */
export async function applyMigrations(db: Database): Promise<string[]> {
  if ((await missingMigrations(db)).length === 0) return []
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw ofAnother(error) ? new Error(OF_ANOTHER, { cause: error }) : error
  return (results ?? []).map(({ migrationName }) => migrationName)
}

const OF_ANOTHER =
  'its tables were made by a release that this one does not follow. Use the release that made them, or a store of its own'

const ofAnother = (error: unknown) => error instanceof Error && error.message.startsWith('corrupted migrations')

async function appliedMigrations(db: Database): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
    return rows.map(({ name }) => name)
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code === UNKNOWN_TABLE || message.startsWith('no such table')) return []
    throw error
  }
}
