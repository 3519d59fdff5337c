import { sql } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'

const MAX_HELD = 2_000

/** RFC 3339. `until`: the latest possible end of a hold that begins now. */
interface HoldTimes {
  now: string
  until: string
}

/** Returns the ids of events of a tenant that are held at a time (RFC 3339), those with the earliest end first. */
export async function listHeldEvents(db: Database, { merchant, mode }: Tenant, now: string): Promise<string[]> {
  const rows = await db
    .selectFrom('events')
    .select('event_id')
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('position', 'is', null)
    .where('held_until', '>', now)
    .orderBy('held_until')
    .limit(MAX_HELD)
    .execute()
  return rows.map(({ event_id }) => event_id)
}

/** Releases events: they are listed, and their deliveries become due. */
export async function releaseEvents(db: Database, ids: readonly string[], times: HoldTimes): Promise<void> {
  await setHeldUntil(db, ids, { heldUntil: null, dueAt: times.now }, times)
}

/** Extends the holds of a tenant's events that end before `soon`. */
export async function holdEvents(
  db: Database,
  { merchant, mode }: Tenant,
  { soon, ...times }: HoldTimes & { soon: string },
): Promise<void> {
  const ending = db
    .selectFrom('events')
    .select('event_id')
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('position', 'is', null)
    .where('held_until', '>', times.now)
    .where('held_until', '<', soon)
    .orderBy('held_until')
    .limit(MAX_HELD)
  for (;;) {
    const ids = (await ending.execute()).map(({ event_id }) => event_id)
    await setHeldUntil(db, ids, { heldUntil: times.until, dueAt: times.until }, times)
    if (ids.length < MAX_HELD) return
  }
}

/** Changes events that are held, and their deliveries. Deliveries that wait for another reason, or were sent or leased, are left alone. */
async function setHeldUntil(
  db: Database,
  ids: readonly string[],
  { heldUntil, dueAt }: { heldUntil: string | null; dueAt: string },
  { now, until }: HoldTimes,
): Promise<void> {
  if (ids.length === 0) return
  await transact(db, async (transaction) => {
    const held = await transaction
      .updateTable('events')
      .set({ held_until: heldUntil })
      .where('event_id', 'in', ids)
      .where('held_until', 'is not', null)
      .returning('event_id')
      .execute()
    const heldIds = held.map(({ event_id }) => event_id)
    if (heldIds.length > 0) await setDeliveriesDue(transaction, heldIds, dueAt, { now, until })
  })
}

async function setDeliveriesDue(
  transaction: Database,
  ids: readonly string[],
  dueAt: string,
  { now, until }: HoldTimes,
): Promise<void> {
  await transaction
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
