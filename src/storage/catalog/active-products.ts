import { sql } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'

/** Returns SKUs of active products after one, in order. */
export async function listActiveSkus(db: Database, tenant: Tenant, after: string, limit: number): Promise<string[]> {
  const rows = await selectActive(db, tenant)
    .select('sku')
    .where('sku', '>', after)
    .orderBy('sku')
    .limit(limit)
    .execute()
  return rows.map(({ sku }) => sku)
}

/** Returns SKUs of active products whose band was never read. */
export async function listSkusWithoutStockRead(
  db: Database,
  tenant: Tenant,
  limit: number,
  after = '',
): Promise<string[]> {
  const rows = await selectActive(db, tenant)
    .select('sku')
    .where('availability', 'is', null)
    .where('sku', '>', after)
    .orderBy('sku')
    .limit(limit)
    .execute()
  return rows.map(({ sku }) => sku)
}

export async function countActiveProducts(db: Database, tenant: Tenant): Promise<number> {
  const { count } = await selectActive(db, tenant)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const selectActive = (db: Database, { merchant, mode }: Tenant) =>
  db
    .selectFrom('catalog_products')
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    // A literal, because SQLite does not use a partial index for a parameter.
    .where('active', '=', sql.lit(1))
    .where('product', 'is not', null)
