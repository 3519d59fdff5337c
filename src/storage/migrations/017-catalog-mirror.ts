import type { Kysely } from 'kysely'
import { numbers, texts } from './columns.ts'

/** Adds the tables from which the catalog mirrors of all machines are filled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await numbers(
    texts(
      schema.createTable('catalog_products'),
      'tenant_id mode sku product? price? priced_at? tax? availability? created_at',
    ),
    'active popularity',
  )
    .addColumn('sequence', 'bigint', (of) => of.notNull())
    .addPrimaryKeyConstraint('catalog_products_key', ['tenant_id', 'mode', 'sku'])
    .execute()
  await schema
    .createIndex('catalog_products_sequence')
    .unique()
    .on('catalog_products')
    .columns(['tenant_id', 'mode', 'sequence'])
    .execute()
  await texts(schema.createTable('catalog_sequences'), 'tenant_id mode')
    .addColumn('last', 'bigint', (of) => of.notNull())
    .addPrimaryKeyConstraint('catalog_sequences_key', ['tenant_id', 'mode'])
    .execute()
}
