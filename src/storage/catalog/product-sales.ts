import { sql } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import { chunkRows } from '../chunk-rows.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import { tenantColumns } from '../tenant-columns.ts'

export type ProductSales = Pick<Tables['product_sales'], 'sku' | 'week' | 'orders'>

/** Adds orders to those of a product and week. A negative number takes some away. Each SKU and week is there once. */
export async function addProductSales(
  transaction: Database,
  tenant: Tenant,
  sales: readonly ProductSales[],
): Promise<void> {
  // Always in the same order, so that two transactions do not deadlock.
  const sorted = sales.toSorted((one, other) => (one.sku < other.sku ? -1 : 1) * 2 + Math.sign(one.week - other.week))
  for (const chunk of chunkRows(sorted))
    await transaction
      .insertInto('product_sales')
      .values(chunk.map((row) => ({ ...tenantColumns(tenant), ...row })))
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'mode', 'sku', 'week'])
          .doUpdateSet({ orders: sql<number>`product_sales.orders + excluded.orders` }),
      )
      .execute()
}

/** Returns SKUs that have sales before a week. */
export async function listSkusWithSalesBefore(
  db: Database,
  tenant: Tenant,
  week: number,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('product_sales')
    .select('sku')
    .where('tenant_id', '=', tenant.merchant)
    .where('mode', '=', tenant.mode)
    .where('week', '<', week)
    .limit(limit)
    .execute()
  return [...new Set(rows.map(({ sku }) => sku))]
}

/** Deletes the sales of these products before a week. */
export async function deleteSalesBefore(
  transaction: Database,
  { merchant, mode }: Tenant,
  skus: readonly string[],
  week: number,
): Promise<void> {
  for (const chunk of chunkRows(skus))
    await transaction
      .deleteFrom('product_sales')
      .where('tenant_id', '=', merchant)
      .where('mode', '=', mode)
      .where('sku', 'in', chunk)
      .where('week', '<', week)
      .execute()
}

/** Returns the number of orders of each of these products that has any. */
export async function sumProductSales(
  db: Database,
  { merchant, mode }: Tenant,
  skus: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>()
  for (const chunk of chunkRows(skus)) {
    const rows = await db
      .selectFrom('product_sales')
      .select(({ fn }) => ['sku', fn.sum('orders').as('orders')])
      .where('tenant_id', '=', merchant)
      .where('mode', '=', mode)
      .where('sku', 'in', chunk)
      .groupBy('sku')
      .execute()
    for (const { sku, orders } of rows) sums.set(sku, Number(orders))
  }
  return sums
}
