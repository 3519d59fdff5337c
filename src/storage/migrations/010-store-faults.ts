import type { Kysely } from 'kysely'
import { texts } from './columns.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await texts(
    schema.createTable('store_probes').addColumn('probe_id', 'text', (of) => of.primaryKey()),
    'filler',
  ).execute()
}
