import type { Kysely } from 'kysely'
import { buildIndex, removeIndex } from './indexes.ts'

/** Indexes are built outside a transaction: with many rows, a build takes a long time. */
export const isTransactional = false

const indexes: readonly (readonly [name: string, definition: string])[] = [
  [
    'catalog_products_price_turns',
    'catalog_products (tenant_id, mode, priced_at, sku) where active = 1 and product is not null',
  ],
  [
    'catalog_products_tax_turns',
    'catalog_products (tenant_id, mode, taxed_at, sku) where active = 1 and product is not null',
  ],
  [
    'catalog_products_unstocked',
    'catalog_products (tenant_id, mode, sku) where active = 1 and product is not null and availability is null',
  ],
  ['catalog_products_active', 'catalog_products (tenant_id, mode, sku) where active = 1 and product is not null'],
  [
    'catalog_products_missing',
    'catalog_products (tenant_id, mode, missing_since, active, sku) where missing_since is not null',
  ],
]

/** Gives each query that keeps the catalog mirror current an index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, definition] of indexes) await buildIndex(db, name, definition)
  await removeIndex(db, 'catalog_products_priced')
}
