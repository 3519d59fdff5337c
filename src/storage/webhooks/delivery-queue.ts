import { type Selectable, sql } from 'kysely'
import type { Database } from '../database.ts'
import { isPostgresDatabase } from '../is-postgres-database.ts'
import type { Tables } from '../tables.ts'

type Row = Selectable<Tables['deliveries']>
export type LeasedDelivery = Pick<
  Row,
  'delivery_id' | 'subscription_id' | 'event_id' | 'event_type' | 'mode' | 'attempts' | 'log' | 'due_at' | 'created_at'
>

/** The new state of a leased delivery. */
export interface DeliveryOutcome
  extends Pick<Row, 'delivery_id' | 'status' | 'attempts' | 'log' | 'due_at' | 'response_status' | 'ended_at'> {}

/**
 * Returns the subscriptions that have due deliveries. The query steps through the index from one subscription to the next, however many
 * deliveries each has. The status is a literal in all queries here: SQLite does not use a partial index for a parameter.
 */
export async function findDueSubscriptions(db: Database, now: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive queues(id) as (
      select min(subscription_id) from deliveries where status = 'PENDING'
      union all
      select (select min(subscription_id) from deliveries where status = 'PENDING' and subscription_id > queues.id)
      from queues where queues.id is not null
    )
    select id from queues where id is not null and exists (
      select 1 from deliveries where status = 'PENDING' and subscription_id = queues.id and due_at <= ${now}
    )`.execute(db)
  return rows.map(({ id }) => id)
}

export interface DeliveryLeaseRequest {
  subscriptionId: string
  holder: string
  now: string
  /** The end of the lease. */
  until: string
  limit: number
}

/** Leases due deliveries of a subscription, the longest due first. Rows that another process is leasing are skipped. */
export async function leaseDeliveries(
  db: Database,
  { subscriptionId, holder, now, until, limit }: DeliveryLeaseRequest,
): Promise<LeasedDelivery[]> {
  const { rows } = await sql<LeasedDelivery>`
    with picked as materialized (
      select delivery_id from deliveries
      where status = 'PENDING' and subscription_id = ${subscriptionId} and due_at <= ${now}
      order by due_at limit ${limit} ${isPostgresDatabase(db) ? sql`for update skip locked` : sql``}
    )
    update deliveries set due_at = ${until}, lease = ${holder}
    where delivery_id in (select delivery_id from picked)
    returning delivery_id, subscription_id, event_id, event_type, mode, attempts, log, due_at, created_at`.execute(db)
  return rows.sort((a, b) => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0))
}

/** Releases leased deliveries, so that they are due at once. */
export async function releaseDeliveries(db: Database, holder: string, ids: readonly string[], now: string) {
  if (ids.length === 0) return
  const released = db.updateTable('deliveries').set({ lease: null, due_at: now })
  await released.where('delivery_id', 'in', ids).where('lease', '=', holder).where('status', '=', 'PENDING').execute()
}

/** Writes the outcomes of deliveries that `holder` still leases, ends the leases, and returns the ids of those deliveries. */
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

/** Supersedes those of the deliveries to retry for which a newer event of the same resource is pending. */
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
