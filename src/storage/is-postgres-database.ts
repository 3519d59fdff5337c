import { type Kysely, SqliteAdapter } from 'kysely'

/** Returns whether the store is PostgreSQL. It locks single rows; a SQLite transaction locks the whole store when it begins. */
export const isPostgresDatabase = (db: Pick<Kysely<unknown>, 'getExecutor'>) =>
  !(db.getExecutor().adapter instanceof SqliteAdapter)
