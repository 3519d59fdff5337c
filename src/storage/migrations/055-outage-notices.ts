import type { Kysely } from 'kysely'
import { numbers, texts } from './columns.ts'

/** What was sent about the outages of each system, to each channel of the configuration. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  const table = schema.createTable('outage_notices').addColumn('notice_id', 'text', (of) => of.primaryKey())
  const columns =
    'channel target system state began_at seen_at due_at claimed_until document told_at? ended_at? failure?'
  await numbers(texts(table, columns), 'attempts').execute()
  await schema.createIndex('outage_notices_by_state').on('outage_notices').columns(['state', 'due_at']).execute()
  await schema.createIndex('outage_notices_in_time').on('outage_notices').columns(['seen_at', 'notice_id']).execute()
}
