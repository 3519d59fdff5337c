import { setImmediate as nextTick } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { deliveryStatuses } from '../../contract/events/webhook-delivery.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import { transact } from '../transact.ts'

export type DeliveryRow = Selectable<Tables['deliveries']>

/** A delivery without the log of its attempts. */
export type DeliverySummary = Omit<DeliveryRow, 'log' | 'tenant_id' | 'mode' | 'coalesce'>

export interface DeliveryQuery {
  status?: DeliveryRow['status']
  event_type?: string
  event_id?: string
  /** RFC 3339, UTC: only deliveries created at that instant or later. */
  since?: string
  limit: number
  offset: number
}

const DELIVERY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const summaryColumns = [
  'delivery_id',
  'subscription_id',
  'event_id',
  'event_type',
  'status',
  'cause',
  'attempts',
  'due_at',
  'lease',
  'response_status',
  'created_at',
  'ended_at',
] as const

/** A page of a subscription's deliveries, the newest first, and whether there are more. */
export async function listDeliveries(
  db: Database,
  subscriptionId: string,
  query: DeliveryQuery,
): Promise<{ rows: DeliverySummary[]; hasMore: boolean }> {
  const { limit, offset } = query
  const rows = await db
    .selectFrom('deliveries')
    .select(summaryColumns)
    .where('delivery_id', 'in', (eb) =>
      eb
        .selectFrom(selectMatching(db, subscriptionId, query).as('matching'))
        .select('delivery_id')
        .orderBy('created_at', 'desc')
        .orderBy('delivery_id', 'desc')
        .limit(limit + 1)
        .offset(offset),
    )
    .orderBy('created_at', 'desc')
    .orderBy('delivery_id', 'desc')
    .execute()
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit }
}

/** Selects the newest deliveries that match, enough for the page. The index by type has the status before the time, so each status is a query. */
function selectMatching(db: Database, subscriptionId: string, query: DeliveryQuery) {
  const { status, event_type, event_id, since, limit, offset } = query
  if (event_id) return selectOfEvent(db, subscriptionId, { ...query, event_id })
  const statuses = event_type && !status ? deliveryStatuses : [status]
  const selections = statuses.map((only) => {
    let keys = db.selectFrom('deliveries').select(['created_at', 'delivery_id'])
    keys = keys.where('subscription_id', '=', subscriptionId)
    if (event_type) keys = keys.where('event_type', '=', event_type)
    if (only) keys = keys.where('status', '=', only)
    if (since) keys = keys.where('created_at', '>=', since)
    const newest = keys.orderBy('created_at', 'desc').orderBy('delivery_id', 'desc')
    return db.selectFrom(newest.limit(offset + limit + 1).as('newest')).selectAll()
  })
  return selections.reduce((all, selection) => all.unionAll(selection))
}

/** Selects the few deliveries of one event first. SQLite would prefer an index by status or time, and search all of the subscription. */
function selectOfEvent(
  db: Database,
  subscriptionId: string,
  { status, event_type, event_id, since }: DeliveryQuery & { event_id: string },
) {
  const ofEvent = db
    .selectFrom('deliveries')
    .select(['created_at', 'delivery_id', 'status', 'event_type'])
    .where('subscription_id', '=', subscriptionId)
    .where('event_id', '=', event_id)
  let keys = db
    .with(
      (cte) => cte('of_event').materialized(),
      () => ofEvent,
    )
    .selectFrom('of_event')
    .select(['created_at', 'delivery_id'])
  if (status) keys = keys.where('status', '=', status)
  if (event_type) keys = keys.where('event_type', '=', event_type)
  return since ? keys.where('created_at', '>=', since) : keys
}

/** Returns `null` when the subscription has no such delivery. */
export async function findDelivery(db: Database, subscriptionId: string, id: string): Promise<DeliveryRow | null> {
  if (!DELIVERY_ID.test(id)) return null
  const delivery = db.selectFrom('deliveries').selectAll().where('delivery_id', '=', id)
  return (await delivery.where('subscription_id', '=', subscriptionId).executeTakeFirst()) ?? null
}

/** Returns the logs of the attempts of a subscription's newest deliveries. */
export async function listAttemptLogs(
  db: Database,
  subscriptionId: string,
  limit: number,
): Promise<Pick<DeliveryRow, 'event_type' | 'log'>[]> {
  return db
    .selectFrom('deliveries')
    .select(['event_type', 'log'])
    .where('subscription_id', '=', subscriptionId)
    .orderBy('created_at', 'desc')
    .orderBy('delivery_id', 'desc')
    .limit(limit)
    .execute()
}

/** A row has about fifteen parameters, and the number of parameters of a statement is limited. */
const ROWS_PER_INSERT = 200

export async function insertDeliveries(transaction: Database, rows: readonly DeliveryRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    const chunk = rows.slice(from, from + ROWS_PER_INSERT)
    await transaction.insertInto('deliveries').values(chunk).execute()
  }
}

/** The rows of one update. Other queries wait while it runs. */
const ROWS_PER_UPDATE = 500

/** Cancels the pending deliveries of a disabled or deleted subscription, a few at a time. Stops when the subscription is enabled again. */
export async function cancelPendingDeliveries(db: Database, subscriptionId: string, at: string): Promise<void> {
  while ((await transact(db, (transaction) => cancelChunk(transaction, subscriptionId, at))) === ROWS_PER_UPDATE)
    await nextTick()
}

async function cancelChunk(transaction: Database, subscriptionId: string, at: string): Promise<number> {
  const waiting = transaction
    .selectFrom('deliveries')
    .select('delivery_id')
    .where('subscription_id', '=', subscriptionId)
    // A literal, because SQLite does not use a partial index for a parameter.
    .where('status', '=', sql.lit('PENDING'))
  const { numUpdatedRows } = await transaction
    .updateTable('deliveries')
    .set({ status: 'CANCELLED', ended_at: at, lease: null })
    .where('delivery_id', 'in', waiting.limit(ROWS_PER_UPDATE))
    .where(({ not, exists, selectFrom }) => {
      const subscription = selectFrom('subscriptions')
        .select('subscription_id')
        .where('subscription_id', '=', subscriptionId)
      return not(exists(subscription.where('status', '!=', 'DISABLED')))
    })
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Deletes up to `limit` deliveries of a subscription and returns how many it deleted. */
export async function deleteDeliveries(db: Database, subscriptionId: string, limit: number): Promise<number> {
  const ids = db.selectFrom('deliveries').select('delivery_id').where('subscription_id', '=', subscriptionId)
  const { numDeletedRows } = await db
    .deleteFrom('deliveries')
    .where('delivery_id', 'in', ids.limit(limit))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
