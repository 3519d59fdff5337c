import { sql } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'

/** Records that the inventory did not return these products; an earlier time is kept. */
export const markProductsMissing = (transaction: Database, tenant: Tenant, skus: readonly string[], since: string) =>
  setMissingSince(transaction, tenant, skus, since)

/** Records that the inventory has these products. */
export const markProductsFound = (transaction: Database, tenant: Tenant, skus: readonly string[]) =>
  setMissingSince(transaction, tenant, skus, null)

async function setMissingSince(
  transaction: Database,
  { merchant, mode }: Tenant,
  skus: readonly string[],
  since: string | null,
): Promise<void> {
  if (skus.length === 0) return
  await transaction
    .updateTable('catalog_products')
    .set({ missing_since: since })
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('sku', 'in', skus)
    .where('missing_since', since === null ? 'is not' : 'is', null)
    .execute()
}

/** Returns active products that the inventory did not return, the longest missing first. */
export async function listMissingProducts(db: Database, tenant: Tenant, limit: number): Promise<string[]> {
  const rows = await selectMissing(db, tenant)
    .select('sku')
    .where('active', '=', sql.lit(1))
    .orderBy('missing_since')
    .limit(limit)
    .execute()
  return rows.map(({ sku }) => sku)
}

/** Counts products that are missing since after `acceptedAt`: those that are still active, and those that were deactivated since `recent`. */
export async function countMissingProducts(
  db: Database,
  tenant: Tenant,
  { acceptedAt, recent }: { acceptedAt: string; recent: string },
): Promise<{ active: number; deactivated: number }> {
  const rows = await selectMissing(db, tenant)
    .select(({ fn }) => ['active', fn.countAll().as('count')])
    .where('missing_since', '>', acceptedAt)
    .where((eb) => eb.or([eb('active', '=', 1), eb('missing_since', '>', recent)]))
    .groupBy('active')
    .execute()
  const countOf = (active: number) => Number(rows.find((row) => row.active === active)?.count ?? 0)
  return { active: countOf(1), deactivated: countOf(0) }
}

const selectMissing = (db: Database, { merchant, mode }: Tenant) =>
  db
    .selectFrom('catalog_products')
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('missing_since', 'is not', null)
