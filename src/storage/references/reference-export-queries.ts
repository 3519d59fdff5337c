import { type Selectable, sql } from 'kysely'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

export type ReferenceExportRow = Selectable<Tables['product_references']>

/** Where a page of the export begins: after this row. */
export type ReferenceExportPosition = Pick<
  ReferenceExportRow,
  'sku' | 'kind' | 'number_key' | 'brand_key' | 'customer_id'
>

/** Returns the rows of an import after `after` (`null`: from the start), product by product. */
export async function listReferenceExportRowsAfter(
  db: Database,
  importId: number,
  after: ReferenceExportPosition | null,
  limit: number,
): Promise<ReferenceExportRow[]> {
  const query = db.selectFrom('product_references').selectAll().where('import_id', '=', importId)
  const rest = after
    ? query.where(
        sql<boolean>`(sku, kind, number_key, brand_key, customer_id) > (${after.sku}, ${after.kind}, ${after.number_key}, ${after.brand_key}, ${after.customer_id})`,
      )
    : query
  return rest
    .orderBy('sku')
    .orderBy('kind')
    .orderBy('number_key')
    .orderBy('brand_key')
    .orderBy('customer_id')
    .limit(limit)
    .execute()
}
