import type { Selectable } from 'kysely'
import { randomBase62 } from '../../security/base62.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

/** The operator of entries that a command of the shell wrote. */
export const COMMAND_LINE = 'command line'

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
  action?: string | undefined
  /** RFC 3339, UTC: only entries from then on. */
  from?: string | undefined
  /** RFC 3339, UTC: only entries before. */
  to?: string | undefined
  /** The last entry of the previous page. */
  before?: { at: string; entry_id: string } | undefined
  limit: number
}

/** Returns a page of entries, the newest first. */
export async function listAuditLog(
  db: Database,
  { operator, action, from, to, before, limit }: AuditQuery,
): Promise<AuditLogRow[]> {
  let query = db.selectFrom('audit_log').selectAll()
  if (operator) query = query.where('operator', '=', operator)
  if (action) query = query.where('action', '=', action)
  if (from) query = query.where('at', '>=', from)
  if (to) query = query.where('at', '<', to)
  if (before) {
    const { at, entry_id } = before
    query = query.where((eb) => eb(eb.refTuple('at', 'entry_id'), '<', eb.tuple(at, entry_id)))
  }
  return query.orderBy('at', 'desc').orderBy('entry_id', 'desc').limit(limit).execute()
}

/** The clocks of the process that revoked and of the one that wrote the entry may differ. */
const REVOCATION_SKEW_MS = 60_000

/** Returns who revoked or rotated a key at that time (milliseconds since the epoch); `null`: no entry says so. */
export async function findKeyRevoker(db: Database, keyId: string, revokedAt: number): Promise<string | null> {
  const iso = (ms: number) => new Date(ms).toISOString()
  const entries = await db
    .selectFrom('audit_log')
    .select(['operator', 'target'])
    .where('at', '>=', iso(revokedAt - REVOCATION_SKEW_MS))
    .where('at', '<=', iso(revokedAt + REVOCATION_SKEW_MS))
    .where('action', 'in', ['key.revoke', 'key.rotate'])
    .where('outcome', '=', 'done')
    .orderBy('at')
    .limit(100)
    .execute()
  const found = entries.find(({ target }) => (JSON.parse(target) as { key?: string }).key === keyId)
  return found?.operator ?? null
}
