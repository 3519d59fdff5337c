import type { Kysely } from 'kysely'
import { texts } from './columns.ts'

/** When processes started to serve, with which version and configuration. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  const table = schema.createTable('process_starts').addColumn('start_id', 'text', (of) => of.primaryKey())
  await texts(table, 'at process version config_digest?').execute()
  await schema.createIndex('process_starts_in_time').on('process_starts').columns(['at', 'start_id']).execute()
}
