import { sql } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { hasRowLocks } from '../row-locks.ts'
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
const MAX_SEARCHED = 500

/** What pages say of an open cart. `pricing` has the totals of the last pricing alone. */
export type OpenCart = Pick<CartRecord, 'cart_id' | 'customer_id' | 'pricing'>

export interface OpenCartsWithProduct {
  carts: OpenCart[]
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
  const find = sql.raw(hasRowLocks(db) ? 'strpos' : 'instr')
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
  return {
    carts: await readOpenCarts(
      db,
      found.map(({ cart_id }) => cart_id),
    ),
    areOthersUnknown: open.length > MAX_SEARCHED,
  }
}

/** Reads the totals without the lines of carts and of their pricing, in the order of the ids. */
async function readOpenCarts(db: Database, cartIds: readonly string[]): Promise<OpenCart[]> {
  if (cartIds.length === 0) return []
  const totals = hasRowLocks(db)
    ? sql<string | null>`pricing::json ->> 'totals'`
    : sql<string | null>`pricing ->> 'totals'`
  const carts = db.selectFrom('carts').select(['cart_id', 'customer_id', totals.as('totals')])
  const rows = await carts.where('cart_id', 'in', cartIds).execute()
  const byId = new Map(rows.map((row) => [row.cart_id, row]))
  return cartIds.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const { totals: stored, ...cart } = row
    return [{ ...cart, pricing: stored === null ? null : { totals: JSON.parse(stored) as unknown } }]
  })
}
