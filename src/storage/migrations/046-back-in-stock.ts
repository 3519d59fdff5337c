import type { Kysely } from 'kysely'
import { numbers, texts } from './columns.ts'

/** The products that shoppers wait for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  const table = schema.createTable('back_in_stock_requests').addColumn('request_id', 'text', (of) => of.primaryKey())
  await numbers(texts(table, 'tenant_id mode customer_id sku created_at expires_at'), 'slot')
    // Two requests at once cannot take the same slot, so a shopper cannot have more of them than there are slots.
    .addUniqueConstraint('back_in_stock_requests_slot', ['tenant_id', 'mode', 'customer_id', 'slot'])
    .addUniqueConstraint('back_in_stock_requests_sku', ['tenant_id', 'mode', 'customer_id', 'sku'])
    .execute()
  await schema
    .createIndex('back_in_stock_requests_created')
    .on('back_in_stock_requests')
    .columns(['tenant_id', 'mode', 'created_at'])
    .execute()
  await schema.createIndex('back_in_stock_requests_expiry').on('back_in_stock_requests').column('expires_at').execute()
}
