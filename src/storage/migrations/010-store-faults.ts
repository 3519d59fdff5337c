import { type Kysely, sql } from 'kysely'
import { texts } from './columns.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await texts(
    schema.createTable('store_probes').addColumn('probe_id', 'text', (of) => of.primaryKey()),
    'filler',
  ).execute()
  await schema.alterTable('idempotency_keys').addColumn('holder', 'text').execute()
  await schema
    .createIndex('idempotency_keys_held')
    .on('idempotency_keys')
    .columns(['locked_until'])
    .where(sql.ref('state'), '!=', sql.lit('done'))
    .execute()
  await texts(
    schema.createTable('archived_orders').addColumn('cart_id', 'text', (of) => of.primaryKey()),
    'order_id tenant_id mode customer_id',
  ).execute()
  await sql`create index orders_settled on orders (updated_at) where status in ('CONFIRMED', 'CANCELLED')`.execute(db)
}
