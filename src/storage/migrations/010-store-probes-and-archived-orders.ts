import type { Kysely } from 'kysely'
import { texts } from './columns.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await texts(
    schema.createTable('store_probes').addColumn('probe_id', 'text', (of) => of.primaryKey()),
    'filler',
  ).execute()
  await schema.alterTable('idempotency_keys').addColumn('holder', 'text').execute()
  await texts(
    schema.createTable('archived_orders').addColumn('cart_id', 'text', (of) => of.primaryKey()),
    'order_id tenant_id mode customer_id',
  ).execute()
}
