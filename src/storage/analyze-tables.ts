/**
 * The statistics of tables in PostgreSQL. In a table that was not analyzed, or not since a merchant's rows were added, PostgreSQL expects one
 * row of that merchant, and reads all of them to find one. It analyzes by itself up to a minute later, and much later if other merchants have
 * many rows.
 */
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { isPostgresDatabase } from './is-postgres-database.ts'
import { setStatementTimeout } from './postgres/statement-timeout.ts'
import { takeTurn } from './transact-in-background.ts'

const TIMEOUT_MS = 60_000

/** The analyses of the catalog that have not begun. */
const waiting = new WeakMap<Database, Promise<void>>()

/** Analyzes the tables of the catalog. Calls that wait for an earlier analysis share the next one: the tables are those of all merchants. */
export const analyzeCatalog = (db: Database): Promise<void> =>
  waiting.getOrInsertComputed(db, () =>
    takeTurn(db, 'catalog statistics', () => {
      waiting.delete(db)
      return analyze(db, 'analyze_catalog')
    }),
  )

/** Analyzes the tables of imported rows. */
export const analyzeImports = (db: Database): Promise<void> => analyze(db, 'analyze_imports')

/** Migration 037 creates the function. A table that another process analyzes is left out. */
async function analyze(db: Database, name: string): Promise<void> {
  if (!isPostgresDatabase(db)) return
  await db.transaction().execute(async (transaction) => {
    await setStatementTimeout(TIMEOUT_MS).execute(transaction)
    await sql`select ${sql.ref(name)}()`.execute(transaction)
  })
}
