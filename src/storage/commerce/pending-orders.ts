import { sql, type Updateable } from 'kysely'
import type { Order } from '../../ports/order.ts'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import { type OrderRecord, toOrderRecord } from './orders.ts'

type OrderKey = Pick<OrderRecord, 'order_id'>

/** Returns pending orders that no process has leased, the longest waiting first. Orders of the tenants in `except` are left out. */
export async function listDueOrders(
  db: Database,
  now: string,
  limit: number,
  except: readonly Tenant[] = [],
): Promise<OrderRecord[]> {
  // A literal, because SQLite does not use a partial index for a parameter.
  const pending = db.selectFrom('orders').selectAll().where('status', '=', sql.lit('PENDING'))
  let due = pending.where('leased_until', '<=', now)
  for (const { merchant, mode } of except)
    due = due.where((eb) => eb.or([eb('tenant_id', '!=', merchant), eb('mode', '!=', mode)]))
  return (await due.orderBy('leased_until').limit(limit).execute()).map(toOrderRecord)
}

/** Leases a due order. `false`: another process was faster, or the order is no longer pending. */
export async function leaseOrder(db: Database, due: OrderRecord, until: string): Promise<boolean> {
  const pending = db.updateTable('orders').set({ leased_until: until, attempts: due.attempts + 1 })
  const { numUpdatedRows } = await pending
    .where('order_id', '=', due.order_id)
    .where('status', '=', 'PENDING')
    .where('leased_until', '=', due.leased_until)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Sets when a pending order is retried. */
export async function postponeOrder(db: Database, { order_id }: OrderKey, until: string): Promise<void> {
  const pending = db.updateTable('orders').set({ leased_until: until })
  await pending.where('order_id', '=', order_id).where('status', '=', 'PENDING').execute()
}

/** Records that the shopper was informed of a pending order, and sets when it is retried. `false`: it is no longer pending. */
export async function markOrderAcknowledged(
  db: Database,
  { order_id }: OrderKey,
  at: { now: string; until: string },
): Promise<boolean> {
  return changePending(db, order_id, { told: 1, leased_until: at.until, updated_at: at.now })
}

/** Confirms a pending order as the accounting system placed it. `false`: it is no longer pending. */
export async function confirmStoredOrder(
  db: Database,
  { order_id }: OrderKey,
  placed: Order,
  now: string,
): Promise<boolean> {
  const { order_number } = placed
  return changePending(db, order_id, {
    status: 'CONFIRMED',
    placed: JSON.stringify(placed),
    order_number,
    updated_at: now,
  })
}

export async function rejectStoredOrder(
  db: Database,
  { order_id }: OrderKey,
  reason: string,
  now: string,
): Promise<boolean> {
  return changePending(db, order_id, { status: 'REJECTED', reject_reason: reason, updated_at: now })
}

/** Deletes a failed order that the shopper does not know of. `false`: it was acknowledged, or is no longer pending. */
export async function deletePendingOrder(db: Database, key: OrderKey): Promise<boolean> {
  const { numDeletedRows } = await deleteUnacknowledged(db, key).executeTakeFirst()
  return numDeletedRows === 1n
}

/** Deletes an order that was never sent to the accounting system. Also `false` when another process has leased it since and may have sent it. */
export async function deleteUnsentOrder(db: Database, order: OrderRecord): Promise<boolean> {
  const { numDeletedRows } = await deleteUnacknowledged(db, order)
    .where('leased_until', '=', order.leased_until)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

const deleteUnacknowledged = (db: Database, { order_id }: OrderKey) =>
  db.deleteFrom('orders').where('order_id', '=', order_id).where('status', '=', 'PENDING').where('told', '=', 0)

async function changePending(db: Database, orderId: string, change: Updateable<Tables['orders']>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set(change)
    .where('order_id', '=', orderId)
    .where('status', '=', 'PENDING')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
