import { type Kysely, sql } from 'kysely'
import { isPostgresDatabase } from '../is-postgres-database.ts'
import { numbers, texts } from './columns.ts'

/** The tables of imported rows. */
const IMPORTED = 'fitments, fitment_vehicles, fitment_vehicle_ids, product_references, product_descriptions'

/** Adds imported descriptions, and copies of them in the catalog. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await texts(numbers(schema.createTable('product_descriptions'), 'import_id'), 'sku description')
    .addPrimaryKeyConstraint('product_descriptions_key', ['import_id', 'sku'])
    .execute()
  await schema.alterTable('catalog_products').addColumn('description', 'text').execute()
  // Without the index, looking for the few products that have one would read the whole catalog.
  await schema
    .createIndex('catalog_products_described')
    .on('catalog_products')
    .columns(['tenant_id', 'mode', 'sku'])
    .where(sql.ref('description'), 'is not', null)
    .execute()
  if (!isPostgresDatabase(db)) return
  await sql`
    create or replace function analyze_imports() returns void language plpgsql security definer set search_path from current as $$
      begin
        analyze (skip_locked) ${sql.raw(IMPORTED)};
      end
    $$`.execute(db)
}
