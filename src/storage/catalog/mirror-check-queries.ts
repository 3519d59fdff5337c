import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import type { CatalogProduct } from './catalog-products.ts'

/** Counts the products that reach the mirrors. */
export async function countCatalogProducts(db: Database, { merchant, mode }: Tenant): Promise<number> {
  const { count } = await db
    .selectFrom('catalog_products')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('product', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns one product, with the sequence number of its last change of any kind; `null`: it does not reach the mirrors. */
export async function findCatalogProduct(
  db: Database,
  { merchant, mode }: Tenant,
  sku: string,
): Promise<CatalogProduct | null> {
  const row = await db
    .selectFrom('catalog_products')
    .select(['sku', 'sequence', 'product', 'active', 'price', 'price_as_of', 'tax', 'availability', 'stock_as_of'])
    .select(['numbers', 'description', 'fitment', 'popularity', 'popularity_sequence', 'ordinal'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('sku', '=', sku)
    .where('product', 'is not', null)
    .executeTakeFirst()
  if (!row) return null
  const { popularity_sequence, ...found } = row
  const sequence = Math.max(Number(row.sequence), Number(popularity_sequence))
  return { ...found, product: row.product!, sequence, active: row.active === 1 }
}
