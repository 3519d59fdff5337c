import { type Kysely, sql } from 'kysely'
import { isPostgresDatabase } from '../is-postgres-database.ts'

/**
 * Builds an index on `definition`, such as `events (created_at)`. On PostgreSQL, servers of the previous release write to the table in the
 * meantime, which is not possible within a transaction. A build that was interrupted leaves an invalid index, which is replaced.
 */
export async function buildIndex(db: Kysely<unknown>, name: string, definition: string): Promise<void> {
  const [kind, columns] = definition.startsWith('unique ')
    ? ['unique index', definition.slice('unique '.length)]
    : ['index', definition]
  if (await isInvalid(db, name)) await removeIndex(db, name)
  await sql`create ${sql.raw(kind)} ${concurrently(db)} if not exists ${sql.ref(name)} on ${sql.raw(columns)}`.execute(
    db,
  )
}

/** Removes an index without locking others out of its table. */
export const removeIndex = (db: Kysely<unknown>, name: string) =>
  sql`drop index ${concurrently(db)} if exists ${sql.ref(name)}`.execute(db)

const concurrently = (db: Kysely<unknown>) => sql.raw(isPostgresDatabase(db) ? 'concurrently' : '')

async function isInvalid(db: Kysely<unknown>, name: string): Promise<boolean> {
  if (!isPostgresDatabase(db)) return false
  const invalid = sql`select from pg_index where indexrelid = to_regclass(${name}) and not indisvalid`
  return (await invalid.execute(db)).rows.length > 0
}
