import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { tenantColumns } from '../tenant-columns.ts'
import { takeCatalogSequences } from './catalog-sequences.ts'

/** The documents that are mirrored as a whole. */
export type CatalogDocumentName = 'categories' | 'tags'

export interface CatalogDocument {
  name: CatalogDocumentName
  /** JSON of `Category[]` or `Tag[]`. */
  document: string
  sequence: number
}

/** Writes a document, which gets a new sequence number if it has changed. Returns whether it has. */
export async function putCatalogDocument(
  transaction: Database,
  tenant: Tenant,
  { name, document }: Pick<CatalogDocument, 'name' | 'document'>,
  at: string,
): Promise<boolean> {
  const sequence = (await takeCatalogSequences(transaction, tenant, 1, at)) + 1
  const written = await transaction
    .insertInto('catalog_documents')
    .values({ ...tenantColumns(tenant), name, document, sequence })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'mode', 'name'])
        .doUpdateSet({ document, sequence })
        .where('catalog_documents.document', '!=', document),
    )
    .returning('name')
    .execute()
  return written.length > 0
}

/** Returns documents that changed after a sequence number. */
export async function listCatalogDocumentsAfter(
  db: Database,
  { merchant, mode }: Tenant,
  sequence: number,
): Promise<CatalogDocument[]> {
  const rows = await db
    .selectFrom('catalog_documents')
    .select(['name', 'document', 'sequence'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('sequence', '>', sequence)
    .orderBy('sequence')
    .execute()
  return rows.map((row) => ({ ...row, name: row.name as CatalogDocumentName, sequence: Number(row.sequence) }))
}
