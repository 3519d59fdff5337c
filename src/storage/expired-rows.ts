import type { Database } from './database.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A token that was used is remembered past its end, so that clocks that differ a little do not matter. */
const PAST_END = { keptMs: HOUR_MS, key: 'digest', ends: 'expires_at' } as const

/** What is worth nothing any more once it is so much older than the instant in that column. */
export const retentionByTable = {
  shopper_sessions: PAST_END,
  refresh_tokens: PAST_END,
  mailbox_tokens: PAST_END,
  idempotency_keys: PAST_END,
  operator_sessions: PAST_END,
  /** What operators did is asked for by those who look back over a year. */
  audit_log: { keptMs: 400 * DAY_MS, key: 'entry_id', ends: 'at' },
  /** No hold lasts as long. */
  directives: { keptMs: 30 * DAY_MS, key: 'directive_id', ends: 'created_at' },
  /** Deliveries before their events: what is left of an event is never without it. */
  deliveries: { keptMs: 30 * DAY_MS, key: 'delivery_id', ends: 'created_at' },
  events: { keptMs: 30 * DAY_MS, key: 'event_id', ends: 'created_at' },
  /** For so long its shopper is told that it has expired, rather than that it is not there. */
  carts: { keptMs: 30 * DAY_MS, key: 'cart_id', ends: 'expires_at' },
} as const satisfies Record<string, { keptMs: number; key: string; ends: string }>

export type ExpiringTable = keyof typeof retentionByTable

/** Deletes some rows of a table that are past their time at that instant, and tells how many. */
export async function deleteExpiredRows(
  db: Database,
  table: ExpiringTable,
  now: number,
  most: number,
): Promise<number> {
  const { key, ends, keptMs } = retentionByTable[table]
  // The tables differ in their columns: what holds for one is said for all.
  const of = table as 'shopper_sessions'
  const [id, end] = [key as 'digest', ends as 'expires_at']
  let past = db
    .selectFrom(of)
    .select(id)
    .where(end, '<', new Date(now - keptMs).toISOString())
  if (table === 'carts') past = past.where('state' as 'tenant_id', '=', 'ACTIVE')
  const { numDeletedRows } = await db.deleteFrom(of).where(id, 'in', past.limit(most)).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
