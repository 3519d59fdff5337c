import { sql } from 'kysely'
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

/** The newest open carts of all merchants, in which a product is searched: their lines have no index. */
const MAX_SEARCHED = 2_000

export interface OpenCartsWithProduct {
  carts: CartRecord[]
  /** There are more open carts than were searched. */
  areOthersUnknown: boolean
}

/** Returns the open carts of a tenant that hold a product, those that were changed last first. */
export async function listOpenCartsWithProduct(
  db: Database,
  tenant: Tenant,
  { sku, now }: { sku: string; now: string },
): Promise<OpenCartsWithProduct> {
  const pattern = `%"sku":${JSON.stringify(sku).replace(/[!%_]/g, '!$&')}%`
  const open = await db
    .selectFrom('carts')
    .select([
      'cart_id',
      'tenant_id',
      'mode',
      sql<number>`case when lines like ${pattern} escape '!' then 1 else 0 end`.as('matches'),
    ])
    .where('state', '=', 'ACTIVE')
    .where('expires_at', '>', now)
    .orderBy('expires_at', 'desc')
    .limit(MAX_SEARCHED)
    .execute()
  const found = open.filter((cart) => cart.tenant_id === tenant.merchant && cart.mode === tenant.mode && cart.matches)
  const carts = await listCartsById(
    db,
    tenant,
    found.map(({ cart_id }) => cart_id),
  )
  const order = new Map(found.map(({ cart_id }, index) => [cart_id, index]))
  return {
    // A pattern ignores case, and a cart that is being checked out is no longer open.
    carts: carts
      .filter(({ order_id, lines }) => order_id === null && lines.some((line) => line.sku === sku))
      .toSorted((one, other) => order.get(one.cart_id)! - order.get(other.cart_id)!),
    areOthersUnknown: open.length === MAX_SEARCHED,
  }
}
