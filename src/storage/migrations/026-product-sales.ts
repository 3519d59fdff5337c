import type { Kysely } from 'kysely'
import { numbers, texts } from './columns.ts'

/** Adds the number of orders of each product, and the orders that were counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await numbers(texts(schema.createTable('product_sales'), 'tenant_id mode sku'), 'week orders')
    .addPrimaryKeyConstraint('product_sales_key', ['tenant_id', 'mode', 'sku', 'week'])
    .execute()
  await schema
    .createIndex('product_sales_by_week')
    .on('product_sales')
    .columns(['tenant_id', 'mode', 'week', 'sku'])
    .execute()
  await schema
    .alterTable('orders')
    .addColumn('counted', 'integer', (of) => of.notNull().defaultTo(0))
    .execute()
  await schema.alterTable('catalog_products').addColumn('popularity_sequence', 'bigint').execute()
}
