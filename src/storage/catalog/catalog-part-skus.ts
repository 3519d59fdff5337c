import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'

/** Returns SKUs after a SKU, in order, for which a part is stored, with that part. */
export async function listCatalogPartSkus(
  db: Database,
  { merchant, mode }: Tenant,
  part: 'numbers' | 'description' | 'fitment',
  after: string,
  limit: number,
): Promise<{ sku: string; document: string }[]> {
  const rows = await db
    .selectFrom('catalog_products')
    .select(['sku', `${part} as document`])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('sku', '>', after)
    .where(part, 'is not', null)
    .orderBy('sku')
    .limit(limit)
    .execute()
  return rows.map(({ sku, document }) => ({ sku, document: document! }))
}
