import type { PopularityAndTimeChange } from '../../catalog/mirror/file/mirror-row.ts'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'

/** Returns products of which the popularity, or the time of the price or the band, changed after a sequence number, in that order. */
export async function listPopularityAndTimeChangesAfter(
  db: Database,
  { merchant, mode }: Tenant,
  sequence: number,
  limit: number,
): Promise<PopularityAndTimeChange[]> {
  const rows = await db
    .selectFrom('catalog_products')
    .select(['sku', 'popularity', 'price_as_of', 'stock_as_of', 'popularity_sequence'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('popularity_sequence', '>', sequence)
    .orderBy('popularity_sequence')
    .limit(limit)
    .execute()
  return rows.map(({ popularity_sequence, ...row }) => ({ ...row, sequence: Number(popularity_sequence) }))
}
