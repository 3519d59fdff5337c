import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('picture_key')
    .addColumn('name', 'text', (of) => of.primaryKey())
    .addColumn('key', 'text', (of) => of.notNull())
    .execute()
}
