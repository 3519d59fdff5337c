import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { type CatalogProduct, listCatalogProductsAfter } from './catalog-products.ts'
import { listCatalogVehiclesAfter } from './catalog-vehicles.ts'

/** Returns the sequence number of the first change after a sequence number that reaches the mirrors; `null`: there is none. */
export async function findNextCatalogChange(db: Database, tenant: Tenant, after: number): Promise<number | null> {
  const [product] = await listCatalogProductsAfter(db, tenant, after, 1)
  const [vehicle] = await listCatalogVehiclesAfter(db, tenant, after, 1)
  const document = await db
    .selectFrom('catalog_documents')
    .select('sequence')
    .where('tenant_id', '=', tenant.merchant)
    .where('mode', '=', tenant.mode)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirst()
  const sequences = [product, vehicle, document].flatMap((found) => (found ? Number(found.sequence) : []))
  return sequences.length > 0 ? Math.min(...sequences) : null
}

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
    .select(['numbers', 'fitment', 'popularity', 'popularity_sequence', 'ordinal'])
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
