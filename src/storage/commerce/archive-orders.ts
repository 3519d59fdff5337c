import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { tenantColumns } from '../tenant-columns.ts'
import { transact } from '../transact.ts'
import { type CartKey, isCartId } from './carts.ts'
import { deleteOrderTries } from './order-tries.ts'

/** Rejected orders are kept: accounting does not have them. A literal, because SQLite does not use a partial index for parameters. */
const isSettled = sql<boolean>`status in ('CONFIRMED', 'CANCELLED')`

/**
 * Deletes the details and the carts of up to `limit` orders that accounting has and that have not changed since `before`. The record of which cart
 * became which order stays forever, so that no cart is ordered twice. Returns the number of orders.
 */
export function archiveOrders(db: Database, before: string, limit: number): Promise<number> {
  return transact(db, async (transaction) => {
    const due = transaction.selectFrom('orders').select('order_id').where(isSettled).where('updated_at', '<', before)
    const orders = await transaction
      .deleteFrom('orders')
      .where('order_id', 'in', due.orderBy('updated_at').limit(limit))
      // Once more: PostgreSQL may have waited for a transaction that changed the order.
      .where('updated_at', '<', before)
      .returning(['cart_id', 'order_id', 'tenant_id', 'mode', 'customer_id'])
      .execute()
    if (orders.length === 0) return 0
    await transaction.insertInto('archived_orders').values(orders).execute()
    await deleteOrderTries(
      transaction,
      orders.map(({ order_id }) => order_id),
    )
    const cartIds = orders.map(({ cart_id }) => cart_id)
    await transaction.deleteFrom('carts').where('cart_id', 'in', cartIds).execute()
    return orders.length
  })
}

/** Returns the id of the archived order that a cart became. `null`: none, or the cart belonged to another customer. */
export async function findArchivedOrderId(db: Database, { cart_id, customer_id, ...tenant }: CartKey) {
  if (!isCartId(cart_id)) return null
  const { tenant_id, mode } = tenantColumns(tenant)
  const row = await db.selectFrom('archived_orders').selectAll().where('cart_id', '=', cart_id).executeTakeFirst()
  const isOwn = row && row.tenant_id === tenant_id && row.mode === mode && row.customer_id === customer_id
  return isOwn ? row.order_id : null
}
