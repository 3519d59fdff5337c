import type { Selectable } from 'kysely'
import type { Database } from '../database.ts'
import { randomBase62 } from '../keys/api-key-format.ts'
import type { Tables } from '../tables.ts'

export type AuditLogRow = Selectable<Tables['audit_log']>

export interface AuditEntry {
  /** Their name. */
  operator: string
  /** Their role then; `command` beside the two: whoever may run the command. */
  role: string
  action: string
  target: Readonly<Record<string, unknown>>
  outcome: AuditLogRow['outcome']
  address: string | null
}

/** Gives the entry's id. */
export async function writeAuditEntry(db: Database, entry: AuditEntry, now: number): Promise<string> {
  const at = new Date(now).toISOString()
  const entry_id = `aud_${randomBase62(20)}`
  const { target, ...rest } = entry
  await db
    .insertInto('audit_log')
    .values({ ...rest, entry_id, at, target: JSON.stringify(target) })
    .execute()
  return entry_id
}

/** How what was begun has ended. */
export async function setAuditOutcome(db: Database, entryId: string, outcome: AuditLogRow['outcome']): Promise<void> {
  await db.updateTable('audit_log').set({ outcome }).where('entry_id', '=', entryId).execute()
}

export interface AuditQuery {
  operator?: string | undefined
  /** Older than this entry: where the page before ended. */
  before?: { at: string; entry_id: string } | undefined
  limit: number
}

/** The newest first. */
export async function listAuditLog(db: Database, { operator, before, limit }: AuditQuery): Promise<AuditLogRow[]> {
  let query = db.selectFrom('audit_log').selectAll()
  if (operator) query = query.where('operator', '=', operator)
  if (before) {
    query = query.where(({ or, and, eb }) =>
      or([eb('at', '<', before.at), and([eb('at', '=', before.at), eb('entry_id', '<', before.entry_id)])]),
    )
  }
  return query.orderBy('at', 'desc').orderBy('entry_id', 'desc').limit(limit).execute()
}
