import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { listCatalogProductsAfter } from './catalog-products.ts'
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
