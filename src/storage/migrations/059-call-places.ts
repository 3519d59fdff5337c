import type { Kysely } from 'kysely'

/** Adds the places for calls to systems, which all processes on the store share. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('call_places')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .execute()
}
