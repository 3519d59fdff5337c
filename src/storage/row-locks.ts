import { SqliteAdapter } from 'kysely'
import type { Database } from './database.ts'

/** Whether rows can be held one by one. SQLite's transactions take the right to write as they begin: there is nothing to hold. */
export const locksRows = (db: Database) => !(db.getExecutor().adapter instanceof SqliteAdapter)
