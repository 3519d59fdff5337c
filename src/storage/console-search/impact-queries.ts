import { sql } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import { type CartRecord, toCart } from '../commerce/carts.ts'
import { type OrderRecord, toOrderRecord } from '../commerce/orders.ts'
import type { Database } from '../database.ts'

/** Returns those of these carts of a tenant that still exist. */
export async function listCartsById(
  db: Database,
  { merchant, mode }: Tenant,
  cartIds: readonly string[],
): Promise<CartRecord[]> {
  if (cartIds.length === 0) return []
  const carts = db.selectFrom('carts').selectAll().where('cart_id', 'in', cartIds)
  return (await carts.where('tenant_id', '=', merchant).where('mode', '=', mode).execute()).map(toCart)
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
  const found = delayed.where((eb) => eb.or([eb('attempts', '>', 0), eb('status', '=', 'PENDING')]))
  return (await found.orderBy('created_at').limit(limit).execute()).map(toOrderRecord)
}
