import { sql } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import type { EventRow } from './event-queries.ts'

export interface UndeliveredEventQuery {
  subscriptionId: string
  /** RFC 3339, UTC. The range includes both ends. */
  since: string
  until: string
  types: readonly string[]
  /** Types of which only the newest event of a resource is returned. */
  coalescedTypes: readonly string[]
}

/** The last event that a slice examined. */
export type ExaminedEvent = Pick<EventRow, 'created_at' | 'event_id'>

export interface UndeliveredEventSlice {
  /** The oldest first. */
  events: Pick<EventRow, 'event_id' | 'type' | 'resource_id' | 'held_until'>[]
  /** Pass it for the next slice; `null`: this was the last. */
  next: ExaminedEvent | null
}

/** The events that one query examines. With SQLite, a query blocks the event loop. */
const SLICE_EVENTS = 1_000

/** Examines the next events of a range, and returns those that were not delivered to a subscription and are not pending. */
export async function listUndeliveredEvents(
  db: Database,
  { merchant, mode }: Tenant,
  { subscriptionId, since, until, types, coalescedTypes }: UndeliveredEventQuery,
  after: ExaminedEvent | null,
): Promise<UndeliveredEventSlice> {
  const { created_at, event_id } = after ?? { created_at: since, event_id: '' }
  const slice = sql`
    select event_id, type, resource_type, resource_id, sequence, created_at, held_until from events
    where tenant_id = ${merchant} and mode = ${mode} and created_at <= ${until}
      and (created_at, event_id) > (${created_at}, ${event_id})
    order by created_at, event_id limit ${SLICE_EVENTS}`
  const { rows: events } = await sql<UndeliveredEventSlice['events'][number]>`
    with slice as materialized (${slice})
    select event_id, type, resource_id, held_until from slice
    where type in (${sql.join(types)})
      and not exists (
        select 1 from deliveries where deliveries.event_id = slice.event_id and subscription_id = ${subscriptionId}
          and status in ('DELIVERED', 'PENDING')
      )
      and (type not in (${sql.join(coalescedTypes)}) or not exists (
        select 1 from events as newer
        where newer.tenant_id = ${merchant} and newer.mode = ${mode} and newer.resource_type = slice.resource_type
          and newer.resource_id = slice.resource_id and newer.sequence > slice.sequence
          and newer.type = slice.type and newer.created_at <= ${until}
      ))
    order by created_at, event_id`.execute(db)
  const { rows: ends } = await sql<ExaminedEvent>`
    select created_at, event_id from (${slice}) as slice
    order by created_at, event_id limit 1 offset ${SLICE_EVENTS - 1}`.execute(db)
  return { events, next: ends[0] ?? null }
}
