import { type Kysely, sql } from 'kysely'
import { isPostgresDatabase } from '../is-postgres-database.ts'

const functions = {
  analyze_catalog: 'catalog_products, catalog_vehicles, resources',
  analyze_imports: 'fitments, fitment_vehicles, fitment_vehicle_ids, product_references',
}

/** Lets the servers' role analyze tables, which PostgreSQL allows only to their owner. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isPostgresDatabase(db)) return
  for (const [name, tables] of Object.entries(functions))
    await sql`
      create or replace function ${sql.ref(name)}() returns void language plpgsql security definer set search_path from current as $$
        begin
          analyze (skip_locked) ${sql.raw(tables)};
        end
      $$`.execute(db)
}
