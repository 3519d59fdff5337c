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
  const assigned = await transaction
    .updateTable('catalog_products')
    .from((eb) =>
      eb
        .selectFrom('catalog_products as new')
        .select(['new.sku', sql<number>`row_number() over (order by new.sequence)`.as('place')])
        .where('new.tenant_id', '=', merchant)
        .where('new.mode', '=', mode)
        .where('new.sku', 'in', skus)
        .where('new.product', 'is not', null)
        .where('new.ordinal', 'is', null)
        .as('assigned'),
    )
    .set(({ ref }) => ({ ordinal: sql<number>`${last} + ${ref('assigned.place')}` }))
    .where('catalog_products.tenant_id', '=', merchant)
    .where('catalog_products.mode', '=', mode)
    .whereRef('catalog_products.sku', '=', 'assigned.sku')
    .executeTakeFirst()
  await takeOrdinals(Number(assigned.numUpdatedRows))
}
