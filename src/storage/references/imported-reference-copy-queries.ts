import type { Selectable } from 'kysely'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

export type ReferenceCopyRow = Pick<
  Selectable<Tables['product_references']>,
  'sku' | 'kind' | 'brand' | 'number' | 'customer_id'
>

/** Returns the references of the SKUs after a SKU, product by product, always in the same order. */
export async function listReferencesAfterSku(
  db: Database,
  importId: number,
  sku: string,
  limit: number,
): Promise<ReferenceCopyRow[]> {
  return db
    .selectFrom('product_references')
    .select(['sku', 'kind', 'brand', 'number', 'customer_id'])
    .where('import_id', '=', importId)
    .where('sku', '>', sku)
    .orderBy('sku')
    .orderBy('kind')
    .orderBy('number_key')
    .orderBy('brand_key')
    .orderBy('customer_id')
    .limit(limit)
    .execute()
}
