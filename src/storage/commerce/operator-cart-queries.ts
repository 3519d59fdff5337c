import { sql } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { isPostgresDatabase } from '../is-postgres-database.ts'
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

/** The newest open carts of a tenant, in which a product is searched: their lines have no index. */
const MAX_SEARCHED = 200

export interface OpenCartsWithProduct {
  carts: CartRecord[]
  /** There are more open carts than were searched. */
  areOthersUnknown: boolean
}

/** Returns the open carts of a tenant that hold a product, those that were changed last first. A cart that is being checked out is not open. */
export async function listOpenCartsWithProduct(
  db: Database,
  { merchant, mode }: Tenant,
  { sku, now }: { sku: string; now: string },
): Promise<OpenCartsWithProduct> {
  // Quotes within a value are escaped, so the text of a line is no property of it.
  const property = `"sku":${JSON.stringify(sku)}`
  const find = sql.raw(isPostgresDatabase(db) ? 'strpos' : 'instr')
  const open = await db
    .selectFrom('carts')
    .select(['cart_id', sql<number>`case when ${find}(lines, ${property}) > 0 then 1 else 0 end`.as('matches')])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('state', '=', 'ACTIVE')
    .where('expires_at', '>', now)
    .where('order_id', 'is', null)
    .orderBy('expires_at', 'desc')
    .limit(MAX_SEARCHED + 1)
    .execute()
  const found = open.slice(0, MAX_SEARCHED).filter(({ matches }) => matches === 1)
  const ids = found.map(({ cart_id }) => cart_id)
  const byId = new Map((await listCartsById(db, { merchant, mode }, ids)).map((cart) => [cart.cart_id, cart]))
  return { carts: ids.flatMap((id) => byId.get(id) ?? []), areOthersUnknown: open.length > MAX_SEARCHED }
}
