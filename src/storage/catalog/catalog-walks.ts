import type { Selectable } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import { tenantColumns } from '../tenant-columns.ts'
import { transact } from '../transact.ts'
import { countMissingProducts } from './missing-products.ts'

/** The walk over all products of a tenant. */
export type CatalogWalk = Pick<
  Selectable<Tables['catalog_walks']>,
  'began_on' | 'position' | 'ended_at' | 'accepted_at'
>

const NO_WALK: CatalogWalk = { began_on: null, position: null, ended_at: null, accepted_at: null }

export async function readCatalogWalk(db: Database, { merchant, mode }: Tenant): Promise<CatalogWalk> {
  const row = await db
    .selectFrom('catalog_walks')
    .select(['began_on', 'position', 'ended_at', 'accepted_at'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .executeTakeFirst()
  return row ?? NO_WALK
}

/** Begins a walk. Resolves without a change when one is under way. */
export async function beginCatalogWalk(db: Database, tenant: Tenant, today: string): Promise<void> {
  if ((await readCatalogWalk(db, tenant)).position === null)
    await putWalk(db, tenant, { began_on: today, position: '' })
}

/** Records the SKU that was read last. */
export const moveCatalogWalk = (db: Database, tenant: Tenant, position: string): Promise<void> =>
  putWalk(db, tenant, { position })

export const endCatalogWalk = (db: Database, tenant: Tenant, at: string): Promise<void> =>
  putWalk(db, tenant, { position: null, ended_at: at })

/**
 * Accepts that the products which the inventory does not return at the moment were deleted, however many they are: the change feed
 * deactivates them. Returns their number.
 */
export const acceptCatalogDeletions = (db: Database, tenant: Tenant, at: string): Promise<number> =>
  transact(db, async (transaction) => {
    const { accepted_at } = await readCatalogWalk(transaction, tenant)
    const { active } = await countMissingProducts(transaction, tenant, { acceptedAt: accepted_at ?? '', recent: at })
    await putWalk(transaction, tenant, { accepted_at: at })
    return active
  })

async function putWalk(db: Database, tenant: Tenant, walk: Partial<CatalogWalk>): Promise<void> {
  await db
    .insertInto('catalog_walks')
    .values({ ...tenantColumns(tenant), ...NO_WALK, ...walk })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'mode']).doUpdateSet(walk))
    .execute()
}
