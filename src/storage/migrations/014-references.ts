import { type Kysely, sql } from 'kysely'
import { numbers, texts } from './columns.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await texts(
    schema.createTable('reference_imports').addColumn('import_id', 'integer', (of) => of.primaryKey()),
    'tenant_id mode state source counts created_at touched_at',
  ).execute()
  await schema
    .createIndex('reference_imports_current')
    .unique()
    .on('reference_imports')
    .columns(['tenant_id', 'mode'])
    .where(sql.ref('state'), '=', sql.lit('CURRENT'))
    .execute()

  const identity = ['import_id', 'sku', 'kind', 'number_key', 'brand_key', 'customer_id'] as const
  const columns = 'sku sku_key kind brand brand_key number number_key customer_id'
  await texts(numbers(schema.createTable('product_references'), 'import_id'), columns)
    .addPrimaryKeyConstraint('product_references_key', [...identity])
    .execute()
  // A number such as "N/A" may have a hundred thousand products: a query reads the first few in the order of the index.
  await schema
    .createIndex('product_references_number')
    .on('product_references')
    .columns(['import_id', 'number_key', 'customer_id', 'sku'])
    .execute()
  await schema
    .createIndex('product_references_sku')
    .on('product_references')
    .columns(['import_id', 'sku_key', 'sku', 'kind'])
    .execute()
}
