import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { tenantColumns } from '../tenant-columns.ts'

export type CatalogCopyName = 'references' | 'descriptions' | 'fitment'

/** How far a source was copied into a tenant's catalog. */
export interface CatalogCopy {
  /** The import that is copied, or the kind of another source. */
  source: string
  /** Where the copy continues; `null`: it is complete. */
  position: string | null
}

export async function readCatalogCopy(
  db: Database,
  { merchant, mode }: Tenant,
  name: CatalogCopyName,
): Promise<CatalogCopy | null> {
  const row = await db
    .selectFrom('catalog_copies')
    .select(['source', 'position'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('name', '=', name)
    .executeTakeFirst()
  return row ?? null
}

/** Moves a copy on, and locks it until the transaction ends. `false`: another process has moved it from `before`. */
export async function moveCatalogCopy(
  transaction: Database,
  tenant: Tenant,
  name: CatalogCopyName,
  before: CatalogCopy | null,
  next: CatalogCopy,
): Promise<boolean> {
  if (before === null) {
    const added = await transaction
      .insertInto('catalog_copies')
      .values({ ...tenantColumns(tenant), name, ...next })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return added.numInsertedOrUpdatedRows === 1n
  }
  const { numUpdatedRows } = await transaction
    .updateTable('catalog_copies')
    .set(next)
    .where('tenant_id', '=', tenant.merchant)
    .where('mode', '=', tenant.mode)
    .where('name', '=', name)
    .where('source', '=', before.source)
    .where('position', 'is not distinct from', before.position)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
