import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { type CartRecord, toCart } from './carts.ts'

/** Returns a cart of any customer, for operators. */
export const findAnyCart = (db: Database, cartId: string) =>
  db.selectFrom('carts').selectAll().where('cart_id', '=', cartId).executeTakeFirst()

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
