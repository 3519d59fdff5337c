import type { Kysely } from 'kysely'
import { buildIndex } from './indexes.ts'

/** The indexes are built outside a transaction, while servers write. */
export const isTransactional = false

/** Finds orders that are to be counted, and products whose popularity has changed, without reading the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await buildIndex(
    db,
    'orders_uncounted',
    "orders (tenant_id, mode) where (status = 'CONFIRMED' and counted = 0) or (status = 'CANCELLED' and counted = 1)",
  )
  await buildIndex(
    db,
    'catalog_products_popularity',
    'catalog_products (tenant_id, mode, popularity_sequence) where popularity_sequence is not null',
  )
}
