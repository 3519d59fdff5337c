import type { Kysely } from 'kysely'
import { texts } from './columns.ts'

const key = ['tenant_id', 'mode'] as const

/** Adds how far imports were copied into the catalog, and when the fitment of each product was read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await texts(schema.createTable('catalog_copies'), 'tenant_id mode name source position?')
    .addPrimaryKeyConstraint('catalog_copies_key', [...key, 'name'])
    .execute()
  await schema.alterTable('catalog_products').addColumn('fitment_read_at', 'text').execute()
  await schema
    .createIndex('catalog_products_fitment_read')
    .on('catalog_products')
    .columns([...key, 'fitment_read_at'])
    .execute()
}
