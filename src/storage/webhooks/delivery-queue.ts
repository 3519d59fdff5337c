import { type Selectable, sql } from 'kysely'
import type { Database } from '../database.ts'
import { hasRowLocks } from '../row-locks.ts'
import type { Tables } from '../tables.ts'

export type WebhookEndpoint = Selectable<Tables['subscriptions']>

type Row = Selectable<Tables['deliveries']>
export type LeasedDelivery = Pick<
  Row,
  'delivery_id' | 'subscription_id' | 'event_id' | 'event_type' | 'mode' | 'attempts' | 'log' | 'due_at' | 'created_at'
>

/** What becomes of a leased delivery. */
export interface DeliveryOutcome
  extends Pick<Row, 'delivery_id' | 'status' | 'attempts' | 'log' | 'due_at' | 'response_status' | 'ended_at'> {}

/**
 * Subscriptions that have deliveries whose time has come. The index is walked from one subscription to the next, however many wait in each.
 * That a delivery is PENDING is said in words everywhere here: with a parameter, SQLite would not use an index of those alone.
 */
export async function findDueSubscriptions(db: Database, now: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive lanes(id) as (
      select min(subscription_id) from deliveries where status = 'PENDING'
      union all
      select (select min(subscription_id) from deliveries where status = 'PENDING' and subscription_id > lanes.id)
      from lanes where lanes.id is not null
    )
    select id from lanes where id is not null and exists (
      select 1 from deliveries where status = 'PENDING' and subscription_id = lanes.id and due_at <= ${now}
    )`.execute(db)
  return rows.map(({ id }) => id)
}

/** What is known of these subscriptions at this moment; one that is gone is left out. */
export async function findEndpoints(db: Database, ids: readonly string[]): Promise<WebhookEndpoint[]> {
  if (ids.length === 0) return []
  return db.selectFrom('subscriptions').selectAll().where('subscription_id', 'in', ids).execute()
}

/** The same, held to the end of the transaction. */
export async function lockEndpoints(transaction: Database, ids: readonly string[]): Promise<WebhookEndpoint[]> {
  if (ids.length === 0) return []
  const wanted = transaction.selectFrom('subscriptions').selectAll().where('subscription_id', 'in', ids)
  const inOrder = wanted.orderBy('subscription_id')
  return (hasRowLocks(transaction) ? inOrder.forNoKeyUpdate() : inOrder).execute()
}

export interface DeliveryLeaseRequest {
  subscriptionId: string
  holder: string
  now: string
  /** When the lease ends: until then the delivery is nobody else's. */
  until: string
  most: number
}

/** Takes some due deliveries of a subscription, the longest waiting first; none that another process is taking. */
export async function leaseDeliveries(
  db: Database,
  { subscriptionId, holder, now, until, most }: DeliveryLeaseRequest,
): Promise<LeasedDelivery[]> {
  const { rows } = await sql<LeasedDelivery>`
    with picked as materialized (
      select delivery_id from deliveries
      where status = 'PENDING' and subscription_id = ${subscriptionId} and due_at <= ${now}
      order by due_at limit ${most} ${hasRowLocks(db) ? sql`for update skip locked` : sql``}
    )
    update deliveries set due_at = ${until}, lease = ${holder}
    where delivery_id in (select delivery_id from picked)
    returning delivery_id, subscription_id, event_id, event_type, mode, attempts, log, due_at, created_at`.execute(db)
  return rows.sort((a, b) => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0))
}

export async function findEventRows(db: Database, ids: readonly string[]): Promise<Tables['events'][]> {
  if (ids.length === 0) return []
  return db.selectFrom('events').selectAll().where('event_id', 'in', ids).execute()
}

/** Gives leased deliveries back as they were, to whoever looks next. */
export async function releaseDeliveries(db: Database, holder: string, ids: readonly string[], now: string) {
  if (ids.length === 0) return
  const given = db.updateTable('deliveries').set({ lease: null, due_at: now })
  await given.where('delivery_id', 'in', ids).where('lease', '=', holder).where('status', '=', 'PENDING').execute()
}

/** Writes what came of deliveries whose lease is still held, and ends the lease. Gives the ids of those. */
export async function recordDeliveryOutcomes(
  transaction: Database,
  holder: string,
  outcomes: readonly DeliveryOutcome[],
) {
  if (outcomes.length === 0) return new Set<string>()
  const values = outcomes.map(
    ({ delivery_id, status, attempts, log, due_at, response_status, ended_at }) =>
      sql`(${delivery_id}, ${status}, cast(${attempts} as integer), ${log}, ${due_at}, cast(${response_status} as integer), cast(${ended_at} as text))`,
  )
  const { rows } = await sql<{ delivery_id: string }>`
    with outcome(id, status, attempts, log, due_at, response_status, ended_at) as (values ${sql.join(values)})
    update deliveries set
      status = outcome.status, attempts = outcome.attempts, log = outcome.log, due_at = outcome.due_at,
      response_status = outcome.response_status, ended_at = outcome.ended_at, lease = null
    from outcome where deliveries.delivery_id = outcome.id and deliveries.lease = ${holder}
    returning deliveries.delivery_id`.execute(transaction)
  return new Set(rows.map(({ delivery_id }) => delivery_id))
}

/** Of deliveries that are to be tried again, those that a newer event waits beside give way to it. */
export async function supersedeOlderDeliveries(
  transaction: Database,
  ids: readonly string[],
  now: string,
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update deliveries set status = 'SUPERSEDED', ended_at = ${now}
    where delivery_id in (${sql.join(ids)}) and status = 'PENDING' and coalesce is not null and exists (
      select 1 from deliveries as other
      join events as newer on newer.event_id = other.event_id
      join events as older on older.event_id = deliveries.event_id
      where other.status = 'PENDING' and other.subscription_id = deliveries.subscription_id
        and other.coalesce = deliveries.coalesce and newer.sequence > older.sequence
    )`.execute(transaction)
}

export async function updateEndpointHealth(
  transaction: Database,
  subscriptionId: string,
  standing: Partial<WebhookEndpoint>,
): Promise<void> {
  await transaction.updateTable('subscriptions').set(standing).where('subscription_id', '=', subscriptionId).execute()
}
