import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Mode } from '../../config/config.ts'
import { type EventKind, isSubscribedTo } from '../../contract/webhook.ts'
import type { Database } from '../database.ts'
import { randomBase62 } from '../keys/api-key-format.ts'

export interface NewEvent {
  tenant_id: string
  mode: Mode
  type: EventKind
  resource: { type: 'order' | 'invoice' | 'product' | 'stock'; id: string }
  data: object
  /** RFC 3339, UTC. */
  at: string
  /** Not to be delivered before; `at`, when it is not said. */
  deliverAt?: string
}

/** Of these only the newest matters to who has not heard of any. */
export const coalescedEventKinds: ReadonlySet<string> = new Set<EventKind>(['product.updated', 'stock.changed'])

/** What tells deliveries of the same matter; `null`: each of them counts. */
export const toCoalesceKey = (type: string, resourceId: string): string | null =>
  coalescedEventKinds.has(type) ? `${type}\n${resourceId}` : null

/** Puts an event into the outbox, with a delivery for each subscription that wants it, in the transaction that causes it. Events of one resource are numbered from 1. */
export async function appendEvent(transaction: Database, happening: NewEvent): Promise<string> {
  const { tenant_id, mode, type, resource, data, at, deliverAt = at } = happening
  const event_id = `evt_${randomBase62(22)}`
  await transaction
    .insertInto('events')
    .values({
      ...{ event_id, tenant_id, mode, type, resource_type: resource.type, resource_id: resource.id },
      ...{ sequence: await nextSequence(transaction, happening), data: JSON.stringify(data), created_at: at },
    })
    .execute()
  const subscriptions = await transaction
    .selectFrom('subscriptions')
    .select(['subscription_id', 'event_types'])
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .where('status', '!=', 'DISABLED')
    .execute()
  const wanting = subscriptions.filter(({ event_types }) => isSubscribedTo(JSON.parse(event_types) as string[], type))
  if (wanting.length === 0) return event_id
  const ids = wanting.map(({ subscription_id }) => subscription_id)
  const coalesce = toCoalesceKey(type, resource.id)
  if (coalesce) await supersede(transaction, ids, coalesce, at)
  const made = ids.map((subscription_id) => ({
    ...{ delivery_id: randomUUID(), subscription_id, tenant_id, mode, event_id, event_type: type, coalesce },
    ...createPendingDelivery(at, deliverAt),
  }))
  await transaction.insertInto('deliveries').values(made).execute()
  return event_id
}

/** What every delivery begins with. */
export const createPendingDelivery = (at: string, dueAt: string) => ({
  ...{ status: 'PENDING' as const, cause: 'EVENT' as const, attempts: 0, log: '[]', due_at: dueAt, lease: null },
  ...{ response_status: null, created_at: at, ended_at: null },
})

/**
 * The resource's row is held from here to the end of the transaction. The events are looked at too: a server of the release before,
 * which may be running beside this one, numbers by them alone.
 */
async function nextSequence(transaction: Database, { tenant_id, mode, resource, at }: NewEvent): Promise<number> {
  const { type, id } = resource
  const after = transaction
    .selectFrom('events')
    .select(sql<number>`coalesce(max(sequence), 0) + 1`.as('sequence'))
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .where('resource_type', '=', type)
    .where('resource_id', '=', id)
  const { sequence } = await transaction
    .insertInto('resources')
    .values({ tenant_id, mode, type, id, sequence: after, state: null, due_on: null, checked_at: at })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'mode', 'type', 'id']).doUpdateSet({
        sequence: sql<number>`case when excluded.sequence > resources.sequence then excluded.sequence else resources.sequence + 1 end`,
      }),
    )
    .returning('sequence')
    .executeTakeFirstOrThrow()
  return sequence
}

/** Those that wait give way to a newer one; what is being sent at this moment is let go its way. */
async function supersede(transaction: Database, subscriptionIds: string[], coalesce: string, at: string) {
  await transaction
    .updateTable('deliveries')
    .set({ status: 'SUPERSEDED', ended_at: at })
    .where('subscription_id', 'in', subscriptionIds)
    .where('coalesce', '=', coalesce)
    // In words: with a parameter SQLite would not use the index of those alone.
    .where('status', '=', sql.lit('PENDING'))
    .where('lease', 'is', null)
    .execute()
}
