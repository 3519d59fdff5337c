import { sql } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { type OrderRecord, toOrderRecord } from './orders.ts'

/** Returns an order of any customer, for operators. */
export async function findAnyOrder(db: Database, orderId: string): Promise<OrderRecord | null> {
  const row = await db.selectFrom('orders').selectAll().where('order_id', '=', orderId).executeTakeFirst()
  return row ? toOrderRecord(row) : null
}

/** Returns those of these orders that are not archived. */
export async function listOrdersById(db: Database, orderIds: readonly string[]): Promise<OrderRecord[]> {
  if (orderIds.length === 0) return []
  return (await db.selectFrom('orders').selectAll().where('order_id', 'in', orderIds).execute()).map(toOrderRecord)
}

/** Returns which of these carts of a tenant became an order that is not archived. */
export async function listOrdersOfCarts(db: Database, { merchant, mode }: Tenant, cartIds: readonly string[]) {
  if (cartIds.length === 0) return []
  return db
    .selectFrom('orders')
    .select(['cart_id', 'order_id', 'order_number', 'customer_id', 'status'])
    .where('cart_id', 'in', cartIds)
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .execute()
}

/** Returns which of these carts of a tenant became an order that is archived. */
export async function listArchivedOrdersOfCarts(db: Database, { merchant, mode }: Tenant, cartIds: readonly string[]) {
  if (cartIds.length === 0) return []
  return db
    .selectFrom('archived_orders')
    .select(['cart_id', 'order_id', 'customer_id'])
    .where('cart_id', 'in', cartIds)
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .execute()
}

/** Returns which of these customers have an order of a period (RFC 3339, both inclusive) that is not archived. */
export async function listCustomersWithOrders(
  db: Database,
  { merchant, mode }: Tenant,
  { customerIds, from, to }: { customerIds: readonly string[]; from: string; to: string },
): Promise<string[]> {
  if (customerIds.length === 0) return []
  const orders = db.selectFrom('orders').select('customer_id').distinct().where('customer_id', 'in', customerIds)
  const ofTenant = orders.where('tenant_id', '=', merchant).where('mode', '=', mode)
  const found = await ofTenant.where('created_at', '>=', from).where('created_at', '<=', to).execute()
  return found.map(({ customer_id }) => customer_id)
}

/** Returns whether an archived order has this id, and its tenant, cart and customer. */
export const findAnyArchivedOrder = (db: Database, orderId: string) =>
  db
    .selectFrom('archived_orders')
    .selectAll()
    .where((eb) => eb(eb.fn('lower', ['order_id']), '=', orderId.toLowerCase()))
    .executeTakeFirst()

/** Counts the pending orders of a tenant that are retried before an instant. */
export async function countPendingBefore(
  db: Database,
  { tenant_id, mode }: Pick<OrderRecord, 'tenant_id' | 'mode'>,
  before: string,
): Promise<number> {
  const pending = db
    .selectFrom('orders')
    .select(({ fn }) => fn.countAll().as('count'))
    // A literal, because SQLite does not use a partial index for a parameter.
    .where('status', '=', sql.lit('PENDING'))
  const { count } = await pending
    .where('leased_until', '<', before)
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the orders of a period that accounting did not confirm at once, the first ones first. */
export async function listDelayedOrders(
  db: Database,
  { merchant, mode }: Tenant,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<OrderRecord[]> {
  const orders = db.selectFrom('orders').selectAll().where('tenant_id', '=', merchant).where('mode', '=', mode)
  // A literal, because SQLite does not use a partial index for a parameter.
  const delayed = orders.where('created_at', '>=', from).where('created_at', '<=', to).where('told', '=', sql.lit(1))
  // The change feed may confirm an order before it is sent again.
  const found = delayed.where((eb) =>
    eb.or([
      eb('attempts', '>', 0),
      eb('status', '=', 'PENDING'),
      eb.exists(
        eb
          .selectFrom('order_tries')
          .select('number')
          .whereRef('order_tries.order_id', '=', 'orders.order_id')
          .where('outcome', '!=', 'placed'),
      ),
    ]),
  )
  return (await found.orderBy('created_at').limit(limit).execute()).map(toOrderRecord)
}
