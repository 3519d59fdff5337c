import { sql } from 'kysely'
import type { Database } from '../../src/storage/database.ts'

/** Does something while no word can be left in the audit log. */
export async function withoutAuditLog(db: Database, work: () => Promise<unknown>): Promise<void> {
  await sql`alter table audit_log rename to audit_log_away`.execute(db)
  try {
    await work()
  } finally {
    await sql`alter table audit_log_away rename to audit_log`.execute(db)
  }
}

/** What a command says of it. */
export const AUDIT_LOG_TABLE = 'audit_log'
