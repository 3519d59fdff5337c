import type { Database } from '../database.ts'
import type { TenantColumns } from '../shoppers/shopper-accounts.ts'
import type { Tables } from '../tables.ts'

export type EventRow = Tables['events']

/** A place in the order of events: after the one of that id, or, without one, from that instant on. */
export interface EventCursor {
  /** RFC 3339, UTC. */
  at: string
  after: string | null
}

const EVENT_ID = /^evt_[0-9A-Za-z]{22}$/

export const isEventId = (text: string): boolean => EVENT_ID.test(text)

/** `null`: there is none, it is another's, or it is past its time. */
export async function findEvent(db: Database, realm: TenantColumns, id: string): Promise<EventRow | null> {
  if (!isEventId(id)) return null
  return (await owned(db, realm).where('event_id', '=', id).executeTakeFirst()) ?? null
}

/** Of these kinds, the oldest first. */
export async function listEvents(
  db: Database,
  realm: TenantColumns,
  { at, after }: EventCursor,
  kinds: readonly string[],
  most: number,
): Promise<EventRow[]> {
  let query = owned(db, realm).where('created_at', '>=', at).where('type', 'in', kinds)
  if (after !== null)
    query = query.where((of) =>
      of.or([of('created_at', '>', at), of.and([of('created_at', '=', at), of('event_id', '>', after)])]),
    )
  return query.orderBy('created_at').orderBy('event_id').limit(most).execute()
}

export interface UndeliveredEventQuery {
  subscriptionId: string
  /** RFC 3339, UTC; both are part of it. */
  since: string
  until: string
  kinds: readonly string[]
  /** Of these only the newest event of a resource counts. */
  coalescing: readonly string[]
}

/** The events of a range that a subscription was not told of, and is not about to be; the oldest first. */
export async function listUndeliveredEvents(
  db: Database,
  realm: TenantColumns,
  { subscriptionId, since, until, kinds, coalescing }: UndeliveredEventQuery,
  most: number,
): Promise<Pick<EventRow, 'event_id' | 'type' | 'resource_id'>[]> {
  return db
    .selectFrom('events')
    .select(['event_id', 'type', 'resource_id'])
    .where('tenant_id', '=', realm.tenant_id)
    .where('mode', '=', realm.mode)
    .where('created_at', '>=', since)
    .where('created_at', '<=', until)
    .where('type', 'in', kinds)
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
        eb('events.type', 'not in', coalescing),
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
    .limit(most)
    .execute()
}

const owned = (db: Database, { tenant_id, mode }: TenantColumns) =>
  db.selectFrom('events').selectAll().where('tenant_id', '=', tenant_id).where('mode', '=', mode)
