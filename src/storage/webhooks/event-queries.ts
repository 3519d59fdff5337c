import type { Selectable } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

export type EventRow = Selectable<Tables['events']>

const EVENT_ID = /^evt_[0-9A-Za-z]{22}$/

/** Returns true for an event id, also for one that no event can have. */
export const isEventIdLike = (text: string): boolean => text.startsWith('evt_')

const isEventId = (text: string): boolean => EVENT_ID.test(text)

/** Returns `null` for an unknown or deleted event, and for another tenant's. */
export async function findEvent(db: Database, tenant: Tenant, id: string): Promise<EventRow | null> {
  if (!isEventId(id)) return null
  return (await selectOwnEvents(db, tenant).where('event_id', '=', id).executeTakeFirst()) ?? null
}

/** Returns events of these types at the positions from `after` (exclusive) to `to`, in order. Reads each of these positions, so keep the range short. */
export async function listEventsInRange(
  db: Database,
  tenant: Tenant,
  { after, to, types, limit }: { after: number; to: number; types: readonly string[]; limit: number },
): Promise<EventRow[]> {
  const range = selectOwnEvents(db, tenant).where('position', '>', after).where('position', '<=', to)
  return range.where('type', 'in', types).orderBy('position').limit(limit).execute()
}

const selectOwnEvents = (db: Database, { merchant, mode }: Tenant) =>
  db.selectFrom('events').selectAll().where('tenant_id', '=', merchant).where('mode', '=', mode)

export async function findEventRows(db: Database, ids: readonly string[]): Promise<EventRow[]> {
  if (ids.length === 0) return []
  return db.selectFrom('events').selectAll().where('event_id', 'in', ids).execute()
}
