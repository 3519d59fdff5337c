import { sql } from 'kysely'
import type { Database } from '../database.ts'

/**
 * Rejects when PostgreSQL ends neither a slow statement nor a silent transaction. A connection asks for both, but a pooler of connections does
 * not pass that on. The settings are read in a transaction, because a pooler that allows none must be noticed before the first one.
 */
export async function requireTimeouts(db: Database): Promise<void> {
  const { rows } = await db.transaction().execute((transaction) =>
    sql<{ role: string; statement: string; idle: string }>`
      select current_user as role, current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle`.execute(transaction),
  )
  const { role, statement, idle } = rows[0]!
  if (statement !== '0' && idle !== '0') return
  throw new Error(
    `PostgreSQL does not end slow statements and silent transactions, because a pooler ignores the timeouts that Forecourt asks for. Run: alter role "${role}" set statement_timeout = '5s'; alter role "${role}" set idle_in_transaction_session_timeout = '2500ms'. Then run in PgBouncer's console: reconnect`,
  )
}
