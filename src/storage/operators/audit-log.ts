import type { Selectable } from 'kysely'
import { randomBase62 } from '../../security/random-id.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

export type AuditLogRow = Selectable<Tables['audit_log']>

export interface AuditEntry {
  /** The operator's name. */
  operator: string
  /** The operator's role at that time; `command` for the command line. */
  role: string
  action: string
  target: Readonly<Record<string, unknown>>
  outcome: AuditLogRow['outcome']
  address: string | null
}

/** Writes an entry and returns its id. */
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

/** Sets the outcome of an action that was recorded when it started. */
export async function setAuditOutcome(db: Database, entryId: string, outcome: AuditLogRow['outcome']): Promise<void> {
  await db.updateTable('audit_log').set({ outcome }).where('entry_id', '=', entryId).execute()
}

export interface AuditQuery {
  operator?: string | undefined
  /** The last entry of the previous page. */
  before?: { at: string; entry_id: string } | undefined
  limit: number
}

/** Returns a page of entries, the newest first. */
export async function listAuditLog(db: Database, { operator, before, limit }: AuditQuery): Promise<AuditLogRow[]> {
  let query = db.selectFrom('audit_log').selectAll()
  if (operator) query = query.where('operator', '=', operator)
  if (before) {
    const { at, entry_id } = before
    query = query.where((eb) => eb(eb.refTuple('at', 'entry_id'), '<', eb.tuple(at, entry_id)))
  }
  return query.orderBy('at', 'desc').orderBy('entry_id', 'desc').limit(limit).execute()
}
