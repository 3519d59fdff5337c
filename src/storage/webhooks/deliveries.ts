import { setImmediate as breath } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import { transact } from '../transact.ts'

export type DeliveryRow = Selectable<Tables['deliveries']>

/** A list does not read what came of each attempt. */
export type DeliverySummary = Omit<DeliveryRow, 'log' | 'tenant_id' | 'mode' | 'coalesce'>

export interface DeliveryQuery {
  status?: DeliveryRow['status']
  event_type?: string
  event_id?: string
  /** RFC 3339, UTC: made at that instant or later. */
  since?: string
  limit: number
  offset: number
}

const DELIVERY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const listed = [
  ...(['delivery_id', 'subscription_id', 'event_id', 'event_type', 'status', 'cause', 'attempts'] as const),
  ...(['due_at', 'lease', 'response_status', 'created_at', 'ended_at'] as const),
] as const

/** A page of a subscription's deliveries, the newest first, and whether there are more. */
export async function listDeliveries(
  db: Database,
  subscriptionId: string,
  { status, event_type, event_id, since, limit, offset }: DeliveryQuery,
): Promise<{ rows: DeliverySummary[]; hasMore: boolean }> {
  let query = db.selectFrom('deliveries').select(listed).where('subscription_id', '=', subscriptionId)
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

/** `null`: this subscription has none of that id. */
export async function findDelivery(db: Database, subscriptionId: string, id: string): Promise<DeliveryRow | null> {
  if (!DELIVERY_ID.test(id)) return null
  const found = db.selectFrom('deliveries').selectAll().where('delivery_id', '=', id)
  return (await found.where('subscription_id', '=', subscriptionId).executeTakeFirst()) ?? null
}

/** How many rows a statement puts in: each has some fifteen parameters, of which a statement takes a limited number. */
const ROWS_A_STATEMENT = 200

export async function insertDeliveries(transaction: Database, rows: readonly DeliveryRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
    const some = rows.slice(from, from + ROWS_A_STATEMENT)
    await transaction.insertInto('deliveries').values(some).execute()
  }
}

/** Of one statement: others wait while it runs. */
const ROWS_A_STEP = 500

/** What is on the schedule of a disabled or deleted subscription is not sent any more; a few at a time, and no more once it is enabled again. */
export async function cancelPendingDeliveries(db: Database, subscriptionId: string, at: string): Promise<void> {
  while ((await transact(db, (transaction) => cancelSome(transaction, subscriptionId, at))) === ROWS_A_STEP)
    await breath()
}

async function cancelSome(transaction: Database, subscriptionId: string, at: string): Promise<number> {
  const waiting = transaction
    .selectFrom('deliveries')
    .select('delivery_id')
    .where('subscription_id', '=', subscriptionId)
    // In words: with a parameter SQLite would not use the index of those alone.
    .where('status', '=', sql.lit('PENDING'))
  const { numUpdatedRows } = await transaction
    .updateTable('deliveries')
    .set({ status: 'CANCELLED', ended_at: at, lease: null })
    .where('delivery_id', 'in', waiting.limit(ROWS_A_STEP))
    .where(({ not, exists, selectFrom }) => {
      const known = selectFrom('subscriptions').select('subscription_id').where('subscription_id', '=', subscriptionId)
      return not(exists(known.where('status', '!=', 'DISABLED')))
    })
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Deletes some of a subscription's deliveries, and tells how many. */
export async function deleteDeliveries(db: Database, subscriptionId: string, most: number): Promise<number> {
  const some = db.selectFrom('deliveries').select('delivery_id').where('subscription_id', '=', subscriptionId)
  const { numDeletedRows } = await db
    .deleteFrom('deliveries')
    .where('delivery_id', 'in', some.limit(most))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
