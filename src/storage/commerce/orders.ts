import type { Selectable } from 'kysely'
import type { Order, OrderDraft } from '../../ports/order.ts'
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
