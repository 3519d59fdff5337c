import { sql } from 'kysely'
import { chunkRows } from '../chunk-rows.ts'
import type { Database } from '../database.ts'

/** A delivery that waits for its next attempt. */
export interface WaitingDelivery {
  delivery_id: string
  created_at: string
  due_at: string
  /** `null`: the event is deleted. */
  event_created_at: string | null
  /** The event is held until then. */
  held_until: string | null
}

/** Returns a subscription's next waiting deliveries, the oldest first. */
export async function listWaitingDeliveries(
  db: Database,
  subscriptionId: string,
  after: WaitingDelivery | null,
  limit: number,
): Promise<WaitingDelivery[]> {
  const { created_at = '', delivery_id = '' } = after ?? {}
  return db
    .selectFrom('deliveries')
    .leftJoin('events', 'events.event_id', 'deliveries.event_id')
    .select(['delivery_id', 'deliveries.created_at', 'due_at', 'events.created_at as event_created_at', 'held_until'])
    .where('subscription_id', '=', subscriptionId)
    .where('status', '=', 'PENDING')
    .where((eb) => eb(eb.refTuple('deliveries.created_at', 'delivery_id'), '>', eb.tuple(created_at, delivery_id)))
    .where('lease', 'is', null)
    .orderBy('deliveries.created_at')
    .orderBy('delivery_id')
    .limit(limit)
    .execute()
}

/** A delivery without an outcome: it waits, or is being sent. */
export interface PendingDelivery {
  delivery_id: string
  event_type: string
  attempts: number
  due_at: string
  /** `null`: the event is deleted. */
  resource_id: string | null
}

/** Returns a subscription's pending deliveries, the oldest first, and whether there are more. */
export async function listPendingDeliveries(
  db: Database,
  subscriptionId: string,
  limit: number,
): Promise<{ rows: PendingDelivery[]; hasMore: boolean }> {
  const rows = await db
    .selectFrom('deliveries')
    .leftJoin('events', 'events.event_id', 'deliveries.event_id')
    .select(['delivery_id', 'event_type', 'attempts', 'due_at', 'resource_id'])
    .where('subscription_id', '=', subscriptionId)
    .where('status', '=', 'PENDING')
    .orderBy('deliveries.created_at')
    .orderBy('delivery_id')
    .limit(limit + 1)
    .execute()
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit }
}

/** Returns whether a delivery of a subscription is being sent, or is next. A lease that has ended, as after a crash, does not count. */
export async function isDeliveryUnderWay(db: Database, subscriptionId: string, now: string): Promise<boolean> {
  const leased = db
    .selectFrom('deliveries')
    .select('delivery_id')
    .where('subscription_id', '=', subscriptionId)
    // A literal, because SQLite does not use a partial index for a parameter.
    .where('status', '=', sql.lit('PENDING'))
    .where('due_at', '>', now)
    .where('lease', 'is not', null)
    .limit(1)
  return (await leased.executeTakeFirst()) !== undefined
}

/** Makes waiting deliveries due at other times. One that is being sent by now is left alone. */
export async function setDueTimes(
  transaction: Database,
  deliveries: readonly Pick<WaitingDelivery, 'delivery_id' | 'due_at'>[],
): Promise<void> {
  for (const chunk of chunkRows(deliveries)) {
    const values = chunk.map(({ delivery_id, due_at }) => sql`(${delivery_id}, ${due_at})`)
    await sql`
      with slot(id, due_at) as (values ${sql.join(values)})
      update deliveries set due_at = slot.due_at from slot
      where deliveries.delivery_id = slot.id and deliveries.status = 'PENDING' and deliveries.lease is null`.execute(
      transaction,
    )
  }
}
