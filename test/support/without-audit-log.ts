import { sql } from 'kysely'
import type { Database } from '../../src/storage/database.ts'

/** Runs work while the audit log cannot be written. */
export async function withoutAuditLog(db: Database, work: () => Promise<unknown>): Promise<void> {
  await sql`alter table audit_log rename to audit_log_away`.execute(db)
  try {
    await work()
  } finally {
    await sql`alter table audit_log_away rename to audit_log`.execute(db)
  }
}

/** Part of the error of a command that could not write the audit log. */
export const AUDIT_LOG_TABLE = 'audit_log'
