import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

export type EventRow = Tables['events']

/** A position in the order of events: after the event with the id `after` at that instant, or, without one, from that instant on. */
export interface EventCursor {
  /** RFC 3339, UTC. */
  at: string
  after: string | null
}

const EVENT_ID = /^evt_[0-9A-Za-z]{22}$/

export const isEventId = (text: string): boolean => EVENT_ID.test(text)

/** Returns `null` for an unknown or deleted event, and for another tenant's. */
export async function findEvent(db: Database, tenant: Tenant, id: string): Promise<EventRow | null> {
  if (!isEventId(id)) return null
  return (await selectOwnEvents(db, tenant).where('event_id', '=', id).executeTakeFirst()) ?? null
}

/** Returns events of these types, the oldest first. */
export async function listEvents(
  db: Database,
  tenant: Tenant,
  { at, after }: EventCursor,
  types: readonly string[],
  limit: number,
): Promise<EventRow[]> {
  let query = selectOwnEvents(db, tenant).where('created_at', '>=', at).where('type', 'in', types)
  if (after !== null)
    query = query.where((eb) =>
      eb.or([eb('created_at', '>', at), eb.and([eb('created_at', '=', at), eb('event_id', '>', after)])]),
    )
  return query.orderBy('created_at').orderBy('event_id').limit(limit).execute()
}

export interface UndeliveredEventQuery {
  subscriptionId: string
  /** RFC 3339, UTC. The range includes both ends. */
  since: string
  until: string
  types: readonly string[]
  /** Types of which only the newest event of a resource is returned. */
  coalescedTypes: readonly string[]
}

/** Returns the events of a range that were not delivered to a subscription and are not pending; the oldest first. */
export async function listUndeliveredEvents(
  db: Database,
  tenant: Tenant,
  { subscriptionId, since, until, types, coalescedTypes }: UndeliveredEventQuery,
  limit: number,
): Promise<Pick<EventRow, 'event_id' | 'type' | 'resource_id'>[]> {
  return db
    .selectFrom('events')
    .select(['event_id', 'type', 'resource_id'])
    .where('tenant_id', '=', tenant.merchant)
    .where('mode', '=', tenant.mode)
    .where('created_at', '>=', since)
    .where('created_at', '<=', until)
    .where('type', 'in', types)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries')
            .select('delivery_id')
            .whereRef('deliveries.event_id', '=', 'events.event_id')
            .where('deliveries.subscription_id', '=', subscriptionId)
            .where('deliveries.status', 'in', ['DELIVERED', 'PENDING']),
        ),
      ),
    )
    .where(({ eb, or, not, exists, selectFrom }) =>
      or([
        eb('events.type', 'not in', coalescedTypes),
        not(
          exists(
            selectFrom('events as newer')
              .select('newer.event_id')
              .whereRef('newer.tenant_id', '=', 'events.tenant_id')
              .whereRef('newer.mode', '=', 'events.mode')
              .whereRef('newer.resource_type', '=', 'events.resource_type')
              .whereRef('newer.resource_id', '=', 'events.resource_id')
              .whereRef('newer.sequence', '>', 'events.sequence')
              .whereRef('newer.type', '=', 'events.type')
              .where('newer.created_at', '<=', until),
          ),
        ),
      ]),
    )
    .orderBy('created_at')
    .orderBy('event_id')
    .limit(limit)
    .execute()
}

const selectOwnEvents = (db: Database, { merchant, mode }: Tenant) =>
  db.selectFrom('events').selectAll().where('tenant_id', '=', merchant).where('mode', '=', mode)
