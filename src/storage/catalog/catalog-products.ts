import { sql } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import { chunkRows } from '../chunk-rows.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import { tenantColumns } from '../tenant-columns.ts'

/** A product for the catalog mirrors. Documents are JSON. */
export interface CatalogProduct {
  sku: string
  sequence: number
  product: string
  active: boolean
  price: string | null
  tax: string | null
  availability: string | null
  popularity: number
}

type Row = Tables['catalog_products']
/** The parts of a product that come from one source. */
export type CatalogPart =
  | Pick<Row, 'product' | 'active'>
  | Pick<Row, 'price' | 'priced_at' | 'tax'>
  | Pick<Row, 'availability'>
  | Pick<Row, 'popularity'>
  | Pick<Row, 'active'>

/** Columns that differ from NULL where a part was never written. */
const DEFAULTS = { active: 1, popularity: 0 } as const

/**
 * Writes one part of each product, and gives each a new sequence number. Other parts stay as they are. Transactions on a tenant's
 * catalog wait here for each other, so that sequence numbers become visible in order. SKUs are unique within `parts`.
 */
export async function putCatalogParts(
  transaction: Database,
  tenant: Tenant,
  parts: readonly ({ sku: string } & CatalogPart)[],
  at: string,
): Promise<void> {
  if (parts.length === 0) return
  let sequence = await takeSequences(transaction, tenant, parts.length)
  const [{ sku: _, ...first }] = parts as [(typeof parts)[number]]
  const columns = ['sequence', ...Object.keys(first)] as (keyof Row)[]
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
    await transaction
      .insertInto('catalog_products')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'mode', 'sku'])
          .doUpdateSet((eb) => Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)]))),
      )
      .execute()
  }
}

/** Reserves sequence numbers, and returns the one before them. */
async function takeSequences(transaction: Database, tenant: Tenant, count: number): Promise<number> {
  const { last } = await transaction
    .insertInto('catalog_sequences')
    .values({ ...tenantColumns(tenant), last: count })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'mode']).doUpdateSet({ last: sql<number>`catalog_sequences.last + ${count}` }),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return Number(last) - count
}

/** Returns products that changed after a sequence number, in that order. Products without product data are left out. */
export async function listCatalogProductsAfter(
  db: Database,
  { merchant, mode }: Tenant,
  sequence: number,
  limit: number,
): Promise<CatalogProduct[]> {
  const rows = await db
    .selectFrom('catalog_products')
    .select(['sku', 'sequence', 'product', 'active', 'price', 'tax', 'availability', 'popularity'])
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

/** Returns the sequence number of the newest change; 0 before the first. */
export async function readCatalogSequence(db: Database, { merchant, mode }: Tenant): Promise<number> {
  const row = await db
    .selectFrom('catalog_sequences')
    .select('last')
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .executeTakeFirst()
  return Number(row?.last ?? 0)
}
