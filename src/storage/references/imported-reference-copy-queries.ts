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

/** Returns the descriptions of the SKUs after a SKU, in order. */
export async function listDescriptionsAfterSku(
  db: Database,
  importId: number,
  sku: string,
  limit: number,
): Promise<{ sku: string; description: string }[]> {
  return db
    .selectFrom('product_descriptions')
    .select(['sku', 'description'])
    .where('import_id', '=', importId)
    .where('sku', '>', sku)
    .orderBy('sku')
    .limit(limit)
    .execute()
}

/** Returns those of these SKUs that have a description. */
export async function listSkusWithDescription(
  db: Database,
  importId: number,
  skus: readonly string[],
): Promise<string[]> {
  if (skus.length === 0) return []
  const rows = await db
    .selectFrom('product_descriptions')
    .select('sku')
    .where('import_id', '=', importId)
    .where('sku', 'in', skus)
    .execute()
  return rows.map(({ sku }) => sku)
}
