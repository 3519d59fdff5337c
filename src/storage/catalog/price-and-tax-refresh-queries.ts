import { sql } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'

/** What is read SKU by SKU: the column of its values, and the column of the times at which they were read. */
export const refreshedColumns = {
  price: { value: 'price', readAt: 'priced_at' },
  tax: { value: 'tax', readAt: 'taxed_at' },
} as const
export type RefreshedColumn = keyof typeof refreshedColumns

/** A product whose price or tax is to be read. */
export interface RefreshRow {
  sku: string
  sequence: string
  /** `null`: it must be read. */
  readAt: string | null
  /** JSON; `null`: it was never read. */
  value: string | null
}

/** Returns active products whose price or tax must be read. */
export const listUnreadProducts = (db: Database, tenant: Tenant, column: RefreshedColumn, limit: number) =>
  selectActive(db, tenant, column)
    .where(refreshedColumns[column].readAt, 'is', null)
    .orderBy('sku')
    .limit(limit)
    .execute()
    .then(toRows)

/** Returns active products whose price or tax was read before the others. */
export const listLongestUnread = (db: Database, tenant: Tenant, column: RefreshedColumn, limit: number) =>
  selectActive(db, tenant, column)
    .where(refreshedColumns[column].readAt, '>', '')
    .orderBy(refreshedColumns[column].readAt)
    .limit(limit)
    .execute()
    .then(toRows)

export const listRefreshRows = (db: Database, tenant: Tenant, column: RefreshedColumn, skus: readonly string[]) =>
  select(db, tenant, column).where('sku', 'in', skus).execute().then(toRows)

/** Records when the price or tax of products was read, without a new sequence number. */
export async function setReadTime(
  transaction: Database,
  { merchant, mode }: Tenant,
  column: RefreshedColumn,
  skus: readonly string[],
  at: string,
): Promise<void> {
  if (skus.length === 0) return
  const products = transaction.updateTable('catalog_products').set({ [refreshedColumns[column].readAt]: at })
  await products.where('tenant_id', '=', merchant).where('mode', '=', mode).where('sku', 'in', skus).execute()
}

/** Makes the price and the tax of these products be read again; of all products if there are none. */
export async function clearReadTimes(
  transaction: Database,
  { merchant, mode }: Tenant,
  skus?: readonly string[],
): Promise<void> {
  if (skus?.length === 0) return
  const products = transaction
    .updateTable('catalog_products')
    .set({ priced_at: null, taxed_at: null })
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
  await (skus ? products.where('sku', 'in', skus) : products).execute()
}

function select(db: Database, { merchant, mode }: Tenant, column: RefreshedColumn) {
  const { readAt, value } = refreshedColumns[column]
  return db
    .selectFrom('catalog_products')
    .select(['sku', 'sequence', sql.ref<string | null>(readAt).as('readAt'), sql.ref<string | null>(value).as('value')])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
}

const selectActive = (db: Database, tenant: Tenant, column: RefreshedColumn) =>
  // A literal, because SQLite does not use a partial index for a parameter.
  select(db, tenant, column).where('active', '=', sql.lit(1)).where('product', 'is not', null)

const toRows = (rows: (Omit<RefreshRow, 'sequence'> & { sequence: number | string })[]): RefreshRow[] =>
  rows.map((row) => ({ ...row, sequence: String(row.sequence) }))
