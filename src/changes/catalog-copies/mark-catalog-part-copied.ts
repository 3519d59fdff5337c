import type { CatalogPartName } from '../../catalog/mirror/file/catalog-part-names.ts'
import {
  listCatalogParts,
  markCatalogPartFilled,
  markCatalogPartRead,
} from '../../storage/catalog/catalog-part-states.ts'
import type { Database } from '../../storage/database.ts'
import type { Tenant } from '../../tenant.ts'

/** Records that all of a part was equal to its source at `at`. */
export async function markCatalogPartCopied(
  db: Database,
  tenant: Tenant,
  name: CatalogPartName,
  at: string,
): Promise<void> {
  await markCatalogPartRead(db, tenant, name, at)
  const part = (await listCatalogParts(db, tenant)).find((one) => one.name === name)
  if (!part?.filledAt) await markCatalogPartFilled(db, tenant, name, at)
}
