import { type Selectable, sql } from 'kysely'
import type { Mode } from '../../config/config.ts'
import type { Order, OrderDraft } from '../../ports/order.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

/** Whose orders: what belongs to another merchant, mode or customer is answered as absent. */
export interface OrderOwner {
  tenant_id: string
  mode: Mode
  customer_id: string
}

/** An order as it is stored. */
export interface OrderRecord extends OrderOwner {
  order_id: string
  cart_id: string
  status: 'PENDING' | 'CONFIRMED' | 'REJECTED' | 'CANCELLED'
  draft: OrderDraft
  /** As the ledger last gave it. */
  placed: Order | null
  /** Whether the shopper was told that it is being processed. */
  told: boolean
  leased_until: string
  attempts: number
  reject_reason: string | null
  created_at: string
  updated_at: string
}

type Key = Pick<OrderRecord, 'order_id'>

export async function insertOrder(db: Database, order: OrderRecord): Promise<void> {
  await db
    .insertInto('orders')
    .values({ ...order, draft: JSON.stringify(order.draft), placed: null, told: Number(order.told) })
    .execute()
}

/** `null`: there is none, or it is another's. */
export async function findOrder(db: Database, owner: OrderOwner, orderId: string): Promise<OrderRecord | null> {
  const row = await owned(db, owner).where('order_id', '=', orderId).executeTakeFirst()
  return row ? recordOf(row) : null
}

/** The newest orders of a customer that the ledger may not list. */
export async function listStoredOrders(
  db: Database,
  owner: OrderOwner,
  wanted: { statuses: OrderRecord['status'][]; since: string | undefined; most: number },
): Promise<OrderRecord[]> {
  if (wanted.statuses.length === 0) return []
  let query = owned(db, owner).where('status', 'in', wanted.statuses)
  if (wanted.since) query = query.where('created_at', '>=', wanted.since)
  const rows = await query.orderBy('created_at', 'desc').orderBy('order_id').limit(wanted.most).execute()
  return rows.map(recordOf)
}

/** Orders without an answer that nobody is on, the longest waiting first; none of those whose ledger is in `except`. */
export async function listDueOrders(
  db: Database,
  now: string,
  most: number,
  except: readonly Pick<OrderOwner, 'tenant_id' | 'mode'>[] = [],
): Promise<OrderRecord[]> {
  // In words: with a parameter SQLite would not use the index of those alone.
  const pending = db.selectFrom('orders').selectAll().where('status', '=', sql.lit('PENDING'))
  let due = pending.where('leased_until', '<=', now)
  for (const { tenant_id, mode } of except)
    due = due.where((of) => of.or([of('tenant_id', '!=', tenant_id), of('mode', '!=', mode)]))
  return (await due.orderBy('leased_until').limit(most).execute()).map(recordOf)
}

/** Takes a due order over until that instant. `false`: another process was faster, or it is settled. */
export async function leaseOrder(db: Database, due: OrderRecord, until: string): Promise<boolean> {
  const pending = db.updateTable('orders').set({ leased_until: until, attempts: due.attempts + 1 })
  const { numUpdatedRows } = await pending
    .where('order_id', '=', due.order_id)
    .where('status', '=', 'PENDING')
    .where('leased_until', '=', due.leased_until)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** When a pending order is looked at again. */
export async function postponeOrder(db: Database, { order_id }: Key, until: string): Promise<void> {
  const pending = db.updateTable('orders').set({ leased_until: until })
  await pending.where('order_id', '=', order_id).where('status', '=', 'PENDING').execute()
}

/** Notes that the shopper was told of a pending order, and when it is looked at again. `false`: it is no longer pending. */
export async function markOrderAcknowledged(
  db: Database,
  { order_id }: Key,
  at: { now: string; until: string },
): Promise<boolean> {
  return changePending(db, order_id, { told: 1, leased_until: at.until, updated_at: at.now })
}

/** Makes a pending order what the ledger made of it. `false`: it is no longer pending. */
export async function confirmStoredOrder(
  db: Database,
  { order_id }: Key,
  placed: Order,
  now: string,
): Promise<boolean> {
  return changePending(db, order_id, { status: 'CONFIRMED', placed: JSON.stringify(placed), updated_at: now })
}

export async function rejectStoredOrder(
  db: Database,
  { order_id }: Key,
  reason: string,
  now: string,
): Promise<boolean> {
  return changePending(db, order_id, { status: 'REJECTED', reject_reason: reason, updated_at: now })
}

/** Deletes an order that came to nothing and that nobody was told of. `false`: it was told of, or is no longer pending. */
export async function deletePendingOrder(db: Database, key: Key): Promise<boolean> {
  const { numDeletedRows } = await untold(db, key).executeTakeFirst()
  return numDeletedRows === 1n
}

/** The same for an order that was not asked for. `false`, too: whoever took it over since may have asked for it. */
export async function deleteUnsentOrder(db: Database, order: OrderRecord): Promise<boolean> {
  const { numDeletedRows } = await untold(db, order).where('leased_until', '=', order.leased_until).executeTakeFirst()
  return numDeletedRows === 1n
}

const untold = (db: Database, { order_id }: Key) =>
  db.deleteFrom('orders').where('order_id', '=', order_id).where('status', '=', 'PENDING').where('told', '=', 0)

/** `false`: it was not confirmed, or is cancelled already. */
export async function cancelStoredOrder(db: Database, { order_id }: Key, order: Order, now: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({ status: 'CANCELLED', placed: JSON.stringify(order), updated_at: now })
    .where('order_id', '=', order_id)
    .where('status', '=', 'CONFIRMED')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

async function changePending(db: Database, orderId: string, change: Partial<Tables['orders']>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set(change)
    .where('order_id', '=', orderId)
    .where('status', '=', 'PENDING')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

function owned(db: Database, { tenant_id, mode, customer_id }: OrderOwner) {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .where('customer_id', '=', customer_id)
}

function recordOf(row: Selectable<Tables['orders']>): OrderRecord {
  return {
    ...row,
    draft: JSON.parse(row.draft) as OrderDraft,
    placed: row.placed === null ? null : (JSON.parse(row.placed) as Order),
    told: row.told === 1,
  }
}
