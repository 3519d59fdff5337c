import type { Selectable } from 'kysely'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

export type OrderTryRow = Selectable<Tables['order_tries']>

/** An order that waits for days is retried each minute: the tries between these are deleted. */
const FIRST_TRIES = 5
const LAST_TRIES = 20

/** Stores a try to place an order. A try that is stored again replaces itself. */
export async function insertOrderTry(db: Database, row: OrderTryRow): Promise<void> {
  const { order_id, number, ...result } = row
  await db
    .insertInto('order_tries')
    .values(row)
    .onConflict((conflict) => conflict.columns(['order_id', 'number']).doUpdateSet(result))
    .execute()
  const surplus = number - LAST_TRIES
  if (surplus < FIRST_TRIES) return
  const tries = db.deleteFrom('order_tries').where('order_id', '=', order_id)
  await tries.where('number', '>=', FIRST_TRIES).where('number', '<=', surplus).execute()
}

/** Returns the stored tries of an order, the first one first. */
export const listOrderTries = (db: Database, orderId: string): Promise<OrderTryRow[]> =>
  db.selectFrom('order_tries').selectAll().where('order_id', '=', orderId).orderBy('number').execute()

/** Returns the stored tries of each of these orders, the first one first. */
export async function listTriesOfOrders(
  db: Database,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, OrderTryRow[]>> {
  if (orderIds.length === 0) return new Map()
  const tries = db.selectFrom('order_tries').selectAll().where('order_id', 'in', orderIds)
  return Map.groupBy(await tries.orderBy('order_id').orderBy('number').execute(), ({ order_id }) => order_id)
}

export async function deleteOrderTries(transaction: Database, orderIds: readonly string[]): Promise<void> {
  await transaction.deleteFrom('order_tries').where('order_id', 'in', orderIds).execute()
}
