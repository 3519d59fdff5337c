import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import { chunkRows } from '../chunk-rows.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import { tenantColumns } from '../tenant-columns.ts'
import { takeCatalogSequences } from './catalog-sequences.ts'
import { assignOrdinals } from './product-ordinals.ts'

type Row = Tables['catalog_products']

/** A product for the catalog mirrors. Documents are JSON. */
export interface CatalogProduct
  extends Pick<Row, 'price' | 'price_as_of' | 'tax' | 'availability' | 'stock_as_of' | 'numbers' | 'fitment'> {
  /** Imported. */
  description: string | null
  sku: string
  sequence: number
  product: string
  active: boolean
  popularity: number
  ordinal: number | null
}

/** The parts of a product that come from one source. */
export type CatalogPart =
  | Pick<Row, 'product' | 'active'>
  | Pick<Row, 'price' | 'tax' | 'price_as_of'>
  | Pick<Row, 'price' | 'price_as_of'>
  | Pick<Row, 'tax'>
  | Pick<Row, 'availability' | 'stock_as_of'>
  | Pick<Row, 'numbers'>
  | { description: string | null }
  | Pick<Row, 'fitment'>
  | Pick<Row, 'popularity'>
  | Pick<Row, 'active'>

/** Columns that differ from NULL where a part was never written. */
const DEFAULTS = { active: 1, popularity: 0 } as const

/** Columns whose change no client sees: for clients that copy the catalog, the product is unchanged. */
const UNLISTED: ReadonlySet<string> = new Set(['popularity', 'price_as_of', 'stock_as_of'])

/**
 * Writes one part of each product. A product whose part has changed gets a new sequence number. A change of which no client sees anything is
 * numbered in `popularity_sequence` instead. Other parts stay as they are. A new product gets the next ordinal.
 * Returns the SKUs that have changed. SKUs are unique within `parts`, and all parts have the same members.
 */
export async function putCatalogParts(
  transaction: Database,
  tenant: Tenant,
  parts: readonly ({ sku: string } & CatalogPart)[],
  at: string,
): Promise<string[]> {
  if (parts.length === 0) return []
  let sequence = await takeCatalogSequences(transaction, tenant, parts.length, at)
  const [{ sku: _, ...first }] = parts as [(typeof parts)[number]]
  const columns = Object.keys(first) as (keyof Row)[]
  // The fitment of a changed product is read again.
  const reset = columns.includes('product') ? (['fitment_read_at'] as const) : []
  const changed: string[] = []
  // Always in the same order, so that two transactions do not deadlock.
  const sorted = [...parts].sort((one, other) => (one.sku < other.sku ? -1 : 1))
  for (const chunk of chunkRows(sorted)) {
    const rows = chunk.map((part) => ({
      ...tenantColumns(tenant),
      ...DEFAULTS,
      ...part,
      created_at: at,
      sequence: ++sequence,
    }))
    const written = await transaction
      .insertInto('catalog_products')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'mode', 'sku'])
          .doUpdateSet((eb) => ({
            ...Object.fromEntries([...columns, ...reset].map((column) => [column, eb.ref(`excluded.${column}`)])),
            ...numberChange(columns),
          }))
          .where(isAnyDistinct(columns)),
      )
      .returning(['sku', 'ordinal'])
      .execute()
    changed.push(...written.map(({ sku }) => sku))
    const added = columns.includes('product') ? written.filter(({ ordinal }) => ordinal === null) : []
    if (added.length > 0)
      await assignOrdinals(
        transaction,
        tenant,
        added.map(({ sku }) => sku),
      )
  }
  return changed
}

/** Returns which of the two sequence numbers a change gets. */
function numberChange(columns: readonly string[]): Record<string, RawBuilder<number>> {
  const listed = columns.filter((column) => !UNLISTED.has(column))
  const next = sql<number>`excluded.sequence`
  if (listed.length === 0) return { popularity_sequence: next }
  if (listed.length === columns.length) return { sequence: next }
  const isListed = isAnyDistinct(listed)
  const [sequence, unlisted] = [sql.ref('catalog_products.sequence'), sql.ref('catalog_products.popularity_sequence')]
  return {
    sequence: sql`case when ${isListed} then ${next} else ${sequence} end`,
    popularity_sequence: sql`case when ${isListed} then ${unlisted} else ${next} end`,
  }
}

/** Returns the documents of these products; those without product data are left out. */
export async function listProductDocuments(
  db: Database,
  { merchant, mode }: Tenant,
  skus: readonly string[],
): Promise<Map<string, string>> {
  if (skus.length === 0) return new Map()
  const rows = await db
    .selectFrom('catalog_products')
    .select(['sku', 'product'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('sku', 'in', skus)
    .where('product', 'is not', null)
    .execute()
  return new Map(rows.map(({ sku, product }) => [sku, product!]))
}

/** Replaces the document of a product by one that means the same, without a new sequence number. */
export async function replaceProductDocument(
  transaction: Database,
  { merchant, mode }: Tenant,
  { sku, product }: { sku: string; product: string },
): Promise<void> {
  await transaction
    .updateTable('catalog_products')
    .set({ product })
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('sku', '=', sku)
    .execute()
}

const isAnyDistinct = (columns: readonly string[]): RawBuilder<boolean> =>
  sql.join(
    columns.map(
      (column) => sql`${sql.ref(`catalog_products.${column}`)} is distinct from ${sql.ref(`excluded.${column}`)}`,
    ),
    sql` or `,
  )

/** Returns products that changed after a sequence number, in that order. Products without product data are left out. */
export async function listCatalogProductsAfter(
  db: Database,
  { merchant, mode }: Tenant,
  sequence: number,
  limit: number,
): Promise<CatalogProduct[]> {
  const rows = await db
    .selectFrom('catalog_products')
    .select(['sku', 'sequence', 'product', 'active', 'price', 'price_as_of', 'tax', 'availability', 'stock_as_of'])
    .select(['numbers', 'description', 'fitment', 'popularity', 'ordinal'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('sequence', '>', sequence)
    .where('product', 'is not', null)
    .orderBy('sequence')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    ...row,
    product: row.product!,
    sequence: Number(row.sequence),
    active: row.active === 1,
  }))
}
