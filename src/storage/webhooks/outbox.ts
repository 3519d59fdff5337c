import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type EventKind, isSubscribedTo } from '../../contract/events/event-types.ts'
import { randomBase62 } from '../../security/base62.ts'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { tenantColumns } from '../tenant-columns.ts'

export interface NewEvent extends Tenant {
  type: EventKind
  resource: { type: 'order' | 'invoice' | 'product' | 'stock'; id: string }
  data: object
  /** RFC 3339, UTC. */
  at: string
  /** The event is neither delivered nor listed until then, unless it is released. */
  heldUntil?: string | undefined
}

/** The event types whose pending deliveries are replaced by newer ones for the same resource. */
export const coalescedEventKinds: ReadonlySet<string> = new Set<EventKind>(['product.updated', 'stock.changed'])

/** Returns the key that deliveries of one resource share; `null`: each delivery is sent. */
export const toCoalesceKey = (type: string, resourceId: string): string | null =>
  coalescedEventKinds.has(type) ? `${type}\n${resourceId}` : null

/** Adds an event and a delivery for each subscribed endpoint, in the transaction that causes it, and returns the event's id. Events of one resource are numbered from 1. */
export async function appendEvent(transaction: Database, event: NewEvent): Promise<string> {
  const { type, resource, at } = event
  const event_id = `evt_${randomBase62(22)}`
  const subscriptionIds = await listSubscribed(transaction, event)
  const coalesce = toCoalesceKey(type, resource.id)
  const replaced = coalesce ? await listReplaced(transaction, subscriptionIds, coalesce) : []
  const heldUntil = limitHold(event, replaced)
  await transaction
    .insertInto('events')
    .values({
      event_id,
      ...tenantColumns(event),
      type,
      resource_type: resource.type,
      resource_id: resource.id,
      sequence: await nextSequence(transaction, event),
      data: JSON.stringify(mergeChanged(event.data, replaced)),
      created_at: at,
      held_until: heldUntil ?? null,
    })
    .execute()
  await addDeliveries(transaction, { ...event, heldUntil }, { event_id, subscriptionIds, coalesce })
  return event_id
}

async function addDeliveries(
  transaction: Database,
  event: NewEvent,
  { event_id, subscriptionIds, coalesce }: { event_id: string; subscriptionIds: string[]; coalesce: string | null },
): Promise<void> {
  if (subscriptionIds.length === 0) return
  const { type, at, heldUntil = at } = event
  if (coalesce) await supersedePending(transaction, subscriptionIds, coalesce, at)
  const deliveries = subscriptionIds.map((subscription_id) => ({
    delivery_id: randomUUID(),
    subscription_id,
    ...tenantColumns(event),
    event_id,
    event_type: type,
    coalesce,
    ...createPendingDelivery(at, heldUntil),
  }))
  await transaction.insertInto('deliveries').values(deliveries).execute()
}

/** The part of the data of `product.updated` that says what changed. */
interface ChangedData {
  changed?: string[]
}

/** Returns an event's data. What the events that it replaces have changed is added to `changed`. */
function mergeChanged(data: ChangedData, replaced: readonly ReplacedEvent[]): object {
  if (!data.changed) return data
  const earlier = replaced.map((event) => JSON.parse(event.data) as ChangedData)
  return { ...data, changed: [...new Set([data, ...earlier].flatMap(({ changed = [] }) => changed))].sort() }
}

/**
 * Returns the time until which an event is held: no later than that of the events that it replaces. Otherwise no event would ever be sent for
 * a resource that changes all the time.
 */
function limitHold({ at, heldUntil }: NewEvent, replaced: readonly ReplacedEvent[]): string | undefined {
  if (heldUntil === undefined) return undefined
  const holds = replaced.flatMap(({ held_until }) => (held_until !== null && held_until > at ? held_until : []))
  return [heldUntil, ...holds].sort()[0]
}

interface ReplacedEvent {
  /** JSON. */
  data: string
  held_until: string | null
}

/** Returns the events with a pending delivery. A delivery that is being sent counts too: it may fail, and is replaced then. */
async function listReplaced(
  transaction: Database,
  subscriptionIds: string[],
  coalesce: string,
): Promise<ReplacedEvent[]> {
  if (subscriptionIds.length === 0) return []
  return (
    transaction
      .selectFrom('deliveries')
      .innerJoin('events', 'events.event_id', 'deliveries.event_id')
      .select(['events.data', 'events.held_until'])
      .where('subscription_id', 'in', subscriptionIds)
      .where('coalesce', '=', coalesce)
      // A literal, because SQLite does not use a partial index for a parameter.
      .where('deliveries.status', '=', sql.lit('PENDING'))
      .execute()
  )
}

/** Returns the ids of the subscriptions that receive an event. */
async function listSubscribed(transaction: Database, { merchant, mode, type }: NewEvent): Promise<string[]> {
  const subscriptions = await transaction
    .selectFrom('subscriptions')
    .select(['subscription_id', 'event_types'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('status', '!=', 'DISABLED')
    .execute()
  return subscriptions
    .filter(({ event_types }) => isSubscribedTo(JSON.parse(event_types) as string[], type))
    .map(({ subscription_id }) => subscription_id)
}

/** The initial columns of every delivery. */
export const createPendingDelivery = (at: string, dueAt: string) => ({
  status: 'PENDING' as const,
  cause: 'EVENT' as const,
  attempts: 0,
  log: '[]',
  due_at: dueAt,
  lease: null,
  response_status: null,
  created_at: at,
  ended_at: null,
})

/**
 * Returns the next number and locks the resource's row until the transaction ends. The events are read too: a server of the previous
 * release, which may run at the same time, numbers by them alone.
 */
async function nextSequence(transaction: Database, { merchant, mode, resource, at }: NewEvent): Promise<number> {
  const { type, id } = resource
  const fromEvents = transaction
    .selectFrom('events')
    .select(sql<number>`coalesce(max(sequence), 0) + 1`.as('sequence'))
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('resource_type', '=', type)
    .where('resource_id', '=', id)
  const { sequence } = await transaction
    .insertInto('resources')
    .values({ tenant_id: merchant, mode, type, id, sequence: fromEvents, state: null, due_on: null, checked_at: at })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'mode', 'type', 'id']).doUpdateSet({
        sequence: sql<number>`case when excluded.sequence > resources.sequence then excluded.sequence else resources.sequence + 1 end`,
      }),
    )
    .returning('sequence')
    .executeTakeFirstOrThrow()
  return sequence
}

/** Supersedes waiting deliveries. One that is being sent at this moment is left alone. */
async function supersedePending(transaction: Database, subscriptionIds: string[], coalesce: string, at: string) {
  await transaction
    .updateTable('deliveries')
    .set({ status: 'SUPERSEDED', ended_at: at })
    .where('subscription_id', 'in', subscriptionIds)
    .where('coalesce', '=', coalesce)
    // A literal, because SQLite does not use a partial index for a parameter.
    .where('status', '=', sql.lit('PENDING'))
    .where('lease', 'is', null)
    .execute()
}
