import { type Selectable, sql, type Updateable } from 'kysely'
import type { Order, OrderDraft } from '../../ports/order.ts'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import type { CustomerColumns, CustomerKey } from './customer-key.ts'

/** An order as it is stored. */
export interface OrderRecord extends CustomerColumns {
  order_id: string
  cart_id: string
  status: 'PENDING' | 'CONFIRMED' | 'REJECTED' | 'CANCELLED'
  draft: OrderDraft
  /** The order as the accounting system last returned it. */
  placed: Order | null
  /** `true` when the shopper was informed that the order is being processed. */
  acknowledged: boolean
  leased_until: string
  attempts: number
  reject_reason: string | null
  created_at: string
  updated_at: string
}

type OrderKey = Pick<OrderRecord, 'order_id'>

/** `reservedCredit`: the credit that the order takes until accounting's own figures include it. */
export async function insertOrder(
  db: Database,
  { acknowledged, ...order }: OrderRecord,
  reservedCredit: string | null = null,
): Promise<void> {
  const json = { draft: JSON.stringify(order.draft), placed: null }
  await db
    .insertInto('orders')
    .values({ ...order, ...json, told: Number(acknowledged), reserved_credit: reservedCredit })
    .execute()
}

/** Returns `null` for an unknown order, and for another customer's. */
export async function findOrder(db: Database, customer: CustomerKey, orderId: string): Promise<OrderRecord | null> {
  const row = await selectOwnOrders(db, customer).where('order_id', '=', orderId).executeTakeFirst()
  return row ? toOrderRecord(row) : null
}

/** Returns the newest orders of a customer with these statuses. Orders that the shopper does not know of are left out, because they may still be discarded. */
export async function listAcknowledgedOrders(
  db: Database,
  customer: CustomerKey,
  { statuses, since, limit }: { statuses: OrderRecord['status'][]; since: string | undefined; limit: number },
): Promise<OrderRecord[]> {
  if (statuses.length === 0) return []
  let query = selectOwnOrders(db, customer).where('status', 'in', statuses).where('told', '=', 1)
  if (since) query = query.where('created_at', '>=', since)
  const rows = await query.orderBy('created_at', 'desc').orderBy('order_id').limit(limit).execute()
  return rows.map(toOrderRecord)
}

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

/** Records that the shopper was informed of an order that was confirmed meanwhile. `false`: it is not confirmed, or no longer stored. */
export async function markConfirmedOrderAcknowledged(db: Database, { order_id }: OrderKey): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({ told: 1 })
    .where('order_id', '=', order_id)
    .where('status', '=', 'CONFIRMED')
    .executeTakeFirst()
  return numUpdatedRows === 1n
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

/** Cancels a confirmed order. `false`: it is not confirmed. */
export async function cancelStoredOrder(
  db: Database,
  { order_id }: OrderKey,
  order: Order,
  now: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({ status: 'CANCELLED', placed: JSON.stringify(order), updated_at: now })
    .where('order_id', '=', order_id)
    .where('status', '=', 'CONFIRMED')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

async function changePending(db: Database, orderId: string, change: Updateable<Tables['orders']>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set(change)
    .where('order_id', '=', orderId)
    .where('status', '=', 'PENDING')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

function selectOwnOrders(db: Database, { merchant, mode, customer_id }: CustomerKey) {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('customer_id', '=', customer_id)
}

export function toOrderRecord({
  told,
  counted: _,
  order_number: __,
  reserved_credit: ___,
  ...row
}: Selectable<Tables['orders']>): OrderRecord {
  return {
    ...row,
    draft: JSON.parse(row.draft) as OrderDraft,
    placed: row.placed === null ? null : (JSON.parse(row.placed) as Order),
    acknowledged: told === 1,
  }
}
