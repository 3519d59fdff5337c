import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { type OrderRecord, toOrderRecord } from './orders.ts'

/** Returns an order of any customer, for operators. */
export async function findAnyOrder(db: Database, orderId: string): Promise<OrderRecord | null> {
  const row = await db.selectFrom('orders').selectAll().where('order_id', '=', orderId).executeTakeFirst()
  return row ? toOrderRecord(row) : null
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
