import { sql } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'

/**
 * Gives these products the next ordinals of their tenant, in the order of their sequence numbers. A product that has one keeps it, and one
 * without product data gets none. Ordinals begin at 1 and have no gaps.
 */
export async function assignOrdinals(
  transaction: Database,
  { merchant, mode }: Tenant,
  skus: readonly string[],
): Promise<void> {
  const takeOrdinals = (count: number) =>
    transaction
      .updateTable('catalog_sequences')
      .set({ products: sql`products + ${count}` })
      .where('tenant_id', '=', merchant)
      .where('mode', '=', mode)
      .returning('products')
      .executeTakeFirstOrThrow()
  // Transactions wait here for each other.
  const { products: last } = await takeOrdinals(0)
  const found = await transaction
    .selectFrom('catalog_products')
    .select(['sku', 'sequence'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('sku', 'in', skus)
    .where('product', 'is not', null)
    .where('ordinal', 'is', null)
    .execute()
  if (found.length === 0) return
  // Not ordered by the store: SQLite would read the whole catalog in the order of sequence numbers to find many SKUs.
  const added = found.sort((one, other) => Number(one.sequence) - Number(other.sequence))
  // Not a join: without statistics, PostgreSQL reads the whole catalog again for each of its rows.
  const cases = added.map(({ sku }, at) => sql`when ${sku} then cast(${last + at + 1} as integer)`)
  await transaction
    .updateTable('catalog_products')
    .set({ ordinal: sql<number>`case sku ${sql.join(cases, sql` `)} end` })
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where(
      'sku',
      'in',
      added.map(({ sku }) => sku),
    )
    .execute()
  await takeOrdinals(added.length)
}

/** Returns how many products ever had product data. */
export async function countOrdinals(db: Database, { merchant, mode }: Tenant): Promise<number> {
  const row = await db
    .selectFrom('catalog_sequences')
    .select('products')
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .executeTakeFirst()
  return row?.products ?? 0
}
