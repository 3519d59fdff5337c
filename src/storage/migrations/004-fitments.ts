import { type Kysely, sql } from 'kysely'
import { numbers, texts } from './columns.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await texts(
    schema.createTable('fitment_imports').addColumn('import_id', 'integer', (of) => of.primaryKey()),
    'tenant_id mode state source counts created_at touched_at',
  ).execute()
  await schema
    .createIndex('fitment_imports_current')
    .unique()
    .on('fitment_imports')
    .columns(['tenant_id', 'mode'])
    .where(sql.ref('state'), '=', sql.lit('CURRENT'))
    .execute()

  await numbers(texts(schema.createTable('fitment_vehicle_ids'), 'tenant_id mode vehicle_key'), 'vehicle_id')
    .addPrimaryKeyConstraint('fitment_vehicle_ids_key', ['tenant_id', 'mode', 'vehicle_id'])
    .execute()

  await texts(
    numbers(schema.createTable('fitment_vehicles'), 'import_id vehicle_id year'),
    'vehicle_key market market_key make make_key model submodel? engine?',
  )
    .addPrimaryKeyConstraint('fitment_vehicles_key', ['import_id', 'vehicle_id'])
    .execute()
  await schema
    .createIndex('fitment_vehicles_chosen')
    .on('fitment_vehicles')
    .columns(['import_id', 'year', 'make_key'])
    .execute()
  await schema
    .createIndex('fitment_vehicles_named')
    .on('fitment_vehicles')
    .columns(['import_id', 'vehicle_key'])
    .execute()

  await texts(numbers(schema.createTable('fitments'), 'import_id vehicle_id'), 'sku fitment')
    .addPrimaryKeyConstraint('fitments_key', ['import_id', 'vehicle_id', 'sku'])
    .execute()
  await schema.createIndex('fitments_sku').on('fitments').columns(['import_id', 'sku']).execute()
}
