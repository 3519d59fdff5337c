import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { isPostgres } from '../../../src/config/store-address.ts'
import type { Database } from '../../../src/storage/database.ts'
import { createPostgresDialect } from '../../../src/storage/postgres/postgres-dialect.ts'
import { createSqliteDialect } from '../../../src/storage/sqlite/sqlite-dialect.ts'

const folder = resolve(import.meta.dirname, '../../../src/storage/migrations')
/** The last migration of release 0.2.0. */
const LAST_NUMBER = '006'

/** Gives a store the tables of release 0.2.0. */
export async function createReleaseStore(url: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^\d{3}-/.test(name) && name.slice(0, 3) <= LAST_NUMBER)
  const migrations: Record<string, Migration> = {}
  for (const name of names) migrations[name.replace('.ts', '')] = (await import(resolve(folder, name))) as Migration
  const db = openUnchecked(url)
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest()
  await db.destroy()
  if (error) throw error
}

/** Opens a store that may lack migrations, as a server of an earlier release has it open. */
export function openUnchecked(url: string): Database {
  const dialect = isPostgres(url)
    ? createPostgresDialect(url, 'serving')
    : createSqliteDialect(url.slice('sqlite:'.length), { ms: 0 })
  return new Kysely({ dialect })
}
