import type { Kysely } from 'kysely'
import { texts } from './columns.ts'

const key = ['tenant_id', 'mode'] as const

/** Adds what the catalog mirrors hold besides products, and how current each part is. Products and stock are read once from the beginning. */
export async function up(db: Kysely<{ feeds: { source: string; baseline: number; watermark: string | null } }>) {
  const { schema } = db
  for (const column of ['stock_as_of', 'price_as_of', 'numbers', 'fitment'])
    await schema.alterTable('catalog_products').addColumn(column, 'text').execute()
  await schema
    .createIndex('catalog_products_priced')
    .on('catalog_products')
    .columns([...key, 'priced_at'])
    .execute()
  await texts(schema.createTable('catalog_documents'), 'tenant_id mode name document')
    .addColumn('sequence', 'bigint', (of) => of.notNull())
    .addPrimaryKeyConstraint('catalog_documents_key', [...key, 'name'])
    .execute()
  await texts(schema.createTable('catalog_vehicles'), 'tenant_id mode vehicle?')
    .addColumn('vehicle_id', 'integer', (of) => of.notNull())
    .addColumn('sequence', 'bigint', (of) => of.notNull())
    .addPrimaryKeyConstraint('catalog_vehicles_key', [...key, 'vehicle_id'])
    .execute()
  await schema
    .createIndex('catalog_vehicles_sequence')
    .on('catalog_vehicles')
    .columns([...key, 'sequence'])
    .execute()
  await texts(schema.createTable('catalog_parts'), 'tenant_id mode name as_of? filled_at? failure? failing_since?')
    .addPrimaryKeyConstraint('catalog_parts_key', [...key, 'name'])
    .execute()
  await db
    .updateTable('feeds')
    .set({ baseline: 1, watermark: null })
    .where('source', 'in', ['products', 'stock'])
    .execute()
}
