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
  | Pick<Row, 'fitment'>
  | Pick<Row, 'popularity'>
  | Pick<Row, 'active'>

/** Columns that differ from NULL where a part was never written. */
const DEFAULTS = { active: 1, popularity: 0 } as const

/**
 * Writes one part of each product. A product whose part has changed gets a new sequence number, apart from its popularity, which has a
 * sequence number of its own. Other parts stay as they are. A new product gets the next ordinal.
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
  // Clients that copy the catalog do not see the popularity, so the product counts as unchanged.
  const position = columns.includes('popularity') ? 'popularity_sequence' : 'sequence'
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
            [position]: eb.ref('excluded.sequence'),
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
    .select(['numbers', 'fitment', 'popularity', 'ordinal'])
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
