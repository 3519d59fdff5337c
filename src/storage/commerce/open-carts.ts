import type { Database } from '../database.ts'
import { type CartRecord, toCart } from './carts.ts'
import { type CustomerKey, customerColumns } from './customer-key.ts'

export interface OpenCartsQuery {
  /** Carts that have expired by then are left out. */
  now: string
  limit: number
  offset: number
}

/** Returns a page of the carts that a customer can still change, newest first, and how many there are. */
export async function listOpenCarts(
  db: Database,
  customer: CustomerKey,
  { now, limit, offset }: OpenCartsQuery,
): Promise<{ carts: CartRecord[]; total: number }> {
  const open = selectOpenCarts(db, customer, now)
  const rows = await open
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('cart_id')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await open.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow()
  return { carts: rows.map(toCart), total: Number(total) }
}

/** A cart that is being checked out cannot be changed. */
function selectOpenCarts(db: Database, customer: CustomerKey, now: string) {
  const { tenant_id, mode, customer_id } = customerColumns(customer)
  return db
    .selectFrom('carts')
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .where('customer_id', '=', customer_id)
    .where('state', '=', 'ACTIVE')
    .where('order_id', 'is', null)
    .where('expires_at', '>', now)
}
