import type { Kysely } from 'kysely'
import { texts } from './columns.ts'

/** Adds when taxes were read, which products are missing in the inventory, and the position of the walk over all products. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  for (const column of ['taxed_at', 'missing_since'])
    await schema.alterTable('catalog_products').addColumn(column, 'text').execute()
  await texts(schema.createTable('catalog_walks'), 'tenant_id mode began_on? position? ended_at? accepted_at?')
    .addPrimaryKeyConstraint('catalog_walks_key', ['tenant_id', 'mode'])
    .execute()
}
