import type { Kysely } from 'kysely'
import { texts } from './columns.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('rate_limit_per_client', 'integer').execute()
  await texts(
    db.schema.createTable('proxy_sightings').addColumn('header', 'text', (column) => column.primaryKey()),
    'address seen_at',
  ).execute()
}
