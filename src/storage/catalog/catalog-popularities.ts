import type { ProductPopularity } from '../../catalog/mirror/file/mirror-row.ts'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'

/** Returns popularities that changed after a sequence number, in that order. */
export async function listCatalogPopularitiesAfter(
  db: Database,
  { merchant, mode }: Tenant,
  sequence: number,
  limit: number,
): Promise<ProductPopularity[]> {
  const rows = await db
    .selectFrom('catalog_products')
    .select(['sku', 'popularity', 'popularity_sequence'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('popularity_sequence', '>', sequence)
    .orderBy('popularity_sequence')
    .limit(limit)
    .execute()
  return rows.map(({ sku, popularity, popularity_sequence }) => ({
    sku,
    popularity,
    sequence: Number(popularity_sequence),
  }))
}
