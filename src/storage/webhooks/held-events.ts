import { sql } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'

const MAX_HELD = 2_000

/** An event that is not delivered or listed yet. Times are RFC 3339. */
export interface HeldEvent {
  event_id: string
  held_until: string
}

/** RFC 3339. `until`: the latest possible end of a hold that begins now. */
interface HoldTimes {
  now: string
  until: string
}

/** Returns events of a tenant that are held at a time, the oldest first. */
export async function listHeldEvents(db: Database, { merchant, mode }: Tenant, now: string): Promise<HeldEvent[]> {
  const rows = await db
    .selectFrom('events')
    .select(['event_id', 'held_until'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('position', 'is', null)
    .where('held_until', '>', now)
    .orderBy('created_at')
    .limit(MAX_HELD)
    .execute()
  return rows.map(({ event_id, held_until }) => ({ event_id, held_until: held_until! }))
}

/** Releases events: they are listed, and their deliveries become due. */
export async function releaseEvents(db: Database, ids: readonly string[], { now, until }: HoldTimes): Promise<void> {
  await setHeldUntil(db, ids, null)
  await setDeliveriesDue(db, ids, now, { now, until })
}

/** Holds events longer, unless they were released. */
export async function holdEvents(db: Database, ids: readonly string[], { now, until }: HoldTimes): Promise<void> {
  await setDeliveriesDue(db, ids, until, { now, until })
  await setHeldUntil(db, ids, until)
}

async function setHeldUntil(db: Database, ids: readonly string[], until: string | null): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('events')
    .set({ held_until: until })
    .where('event_id', 'in', ids)
    .where('held_until', 'is not', null)
    .execute()
}

/** Deliveries that wait for another reason, or were sent or leased, are left alone. */
async function setDeliveriesDue(
  db: Database,
  ids: readonly string[],
  dueAt: string,
  { now, until }: HoldTimes,
): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('deliveries')
    .set({ due_at: dueAt })
    .where('event_id', 'in', ids)
    // A literal, because SQLite does not use a partial index for a parameter.
    .where('status', '=', sql.lit('PENDING'))
    .where('cause', '=', 'EVENT')
    .where('attempts', '=', 0)
    .where('due_at', '>', now)
    .where('due_at', '<=', until)
    .where('lease', 'is', null)
    .execute()
}
