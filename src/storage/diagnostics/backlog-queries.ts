import { sql } from 'kysely'
import type { Database } from '../database.ts'
import type { TenantColumns } from '../tenant-columns.ts'

/** Counts stop here: a larger number says nothing more, and costs more to read. */
const MAX_COUNT = 10_000

/** A literal, because SQLite does not use a partial index for a parameter. */
const PENDING = sql.lit<'PENDING'>('PENDING')

/** The backlog of one tenant. `oldestAt` is RFC 3339. */
export interface BacklogCount extends TenantColumns {
  count: number
  oldestAt: string
}

/** Counts orders that the accounting system has not responded to; 10,000 stands for that many or more. */
export async function countPendingOrders(db: Database): Promise<BacklogCount[]> {
  const pending = db
    .selectFrom('orders')
    .select(['tenant_id', 'mode', 'created_at as since'])
    .where('status', '=', PENDING)
  return db
    .selectFrom(pending.limit(MAX_COUNT).as('waiting'))
    .select(['tenant_id', 'mode'])
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('since').as('oldestAt')])
    .groupBy(['tenant_id', 'mode'])
    .execute()
}

/** A pending order, without its content. */
export interface PendingOrder extends TenantColumns {
  order_id: string
  created_at: string
  leased_until: string
  attempts: number
}

/** Returns the oldest of the pending orders that `countPendingOrders` counts, of these merchants. */
export async function listOldestPendingOrders(
  db: Database,
  merchants: readonly string[],
  limit: number,
): Promise<PendingOrder[]> {
  if (merchants.length === 0) return []
  const pending = db
    .selectFrom('orders')
    .select(['order_id', 'tenant_id', 'mode', 'created_at', 'leased_until', 'attempts'])
    .where('status', '=', PENDING)
    .where('tenant_id', 'in', merchants)
  return db
    .selectFrom(pending.limit(MAX_COUNT).as('waiting'))
    .selectAll()
    .orderBy('created_at')
    .orderBy('order_id')
    .limit(limit)
    .execute()
}

/** Counts deliveries that are due; 10,000 stands for that many or more. */
export async function countDueDeliveries(db: Database, now: string): Promise<BacklogCount[]> {
  const due = db
    .selectFrom('deliveries')
    .select(['tenant_id', 'mode', 'due_at as since'])
    .where('status', '=', PENDING)
    .where('due_at', '<=', now)
    .orderBy('due_at')
  return db
    .selectFrom(due.limit(MAX_COUNT).as('due'))
    .select(['tenant_id', 'mode'])
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('since').as('oldestAt')])
    .groupBy(['tenant_id', 'mode'])
    .execute()
}

export interface DeliveryBacklog {
  /** Due deliveries of all tenants; 10,000 stands for that many or more. */
  due: number
  /** `true` when a delivery to a healthy endpoint has been due since the given instant. */
  isOverdue: boolean
}

export async function readDeliveryBacklog(db: Database, now: string, since: string): Promise<DeliveryBacklog> {
  const due = db.selectFrom('deliveries').select('delivery_id').where('status', '=', PENDING).where('due_at', '<=', now)
  const { count } = await db
    .selectFrom(due.limit(MAX_COUNT).as('due'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const overdue = await db
    .selectFrom('subscriptions')
    .select('subscription_id')
    .where('status', '=', 'ACTIVE')
    .where('consecutive_failures', '=', 0)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deliveries')
          .select('delivery_id')
          .where('deliveries.status', '=', PENDING)
          .where('due_at', '<=', since)
          .whereRef('deliveries.subscription_id', '=', 'subscriptions.subscription_id'),
      ),
    )
    .limit(1)
    .execute()
  return { due: count, isOverdue: overdue.length > 0 }
}
