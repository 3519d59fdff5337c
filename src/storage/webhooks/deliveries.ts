import { setImmediate as nextTick } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
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
  { status, event_type, event_id, since, limit, offset }: DeliveryQuery,
): Promise<{ rows: DeliverySummary[]; hasMore: boolean }> {
  let query = db.selectFrom('deliveries').select(summaryColumns).where('subscription_id', '=', subscriptionId)
  if (status) query = query.where('status', '=', status)
  if (event_type) query = query.where('event_type', '=', event_type)
  if (event_id) query = query.where('event_id', '=', event_id)
  if (since) query = query.where('created_at', '>=', since)
  const page = query.orderBy('created_at', 'desc').orderBy('delivery_id', 'desc')
  const rows = await page
    .limit(limit + 1)
    .offset(offset)
    .execute()
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit }
}

/** Returns `null` when the subscription has no such delivery. */
export async function findDelivery(db: Database, subscriptionId: string, id: string): Promise<DeliveryRow | null> {
  if (!DELIVERY_ID.test(id)) return null
  const delivery = db.selectFrom('deliveries').selectAll().where('delivery_id', '=', id)
  return (await delivery.where('subscription_id', '=', subscriptionId).executeTakeFirst()) ?? null
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
