import { type Kysely, sql } from 'kysely'
import { isPostgresDatabase } from '../is-postgres-database.ts'
import { buildIndex } from './indexes.ts'

/** Indexes are built outside a transaction: with many rows, a build takes a long time. */
export const isTransactional = false

/** Most of these indexes find ids in any letter case, or the rows of a customer or a key. */
const indexes: readonly (readonly [name: string, definition: string])[] = [
  ['request_records_by_key', 'request_records (key_id, kind, at, record_id)'],
  ['incidents_by_id', 'incidents (lower(incident_id))'],
  ['orders_by_id', 'orders (lower(order_id))'],
  ['orders_by_number', 'orders (lower(order_number))'],
  ['orders_by_customer', 'orders (lower(customer_id), tenant_id, mode)'],
  ['carts_by_id', 'carts (lower(cart_id))'],
  ['carts_by_customer', 'carts (lower(customer_id), tenant_id, mode)'],
  ['archived_orders_by_id', 'archived_orders (lower(order_id))'],
  ['archived_orders_by_cart', 'archived_orders (lower(cart_id))'],
  ['shoppers_by_email', 'shoppers (email)'],
  ['shoppers_by_customer', 'shoppers (lower(customer_id), tenant_id, mode)'],
  ['catalog_products_by_sku', 'catalog_products (lower(sku))'],
  ['orders_told_in_time', 'orders (tenant_id, mode, created_at) where told = 1'],
  ['audit_log_by_action', 'audit_log (action, at, entry_id)'],
]

/** Adds the indexes of the operations pages, and the numbers of orders that an earlier release stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, definition] of indexes) await buildIndex(db, name, definition)
  await fillOrderNumbers(db)
}

const ROWS_PER_STEP = 5_000

async function fillOrderNumbers(db: Kysely<unknown>): Promise<void> {
  const number = isPostgresDatabase(db)
    ? sql`placed::json ->> 'order_number'`
    : sql`json_extract(placed, '$.order_number')`
  for (let after = ''; ; ) {
    const { rows } = await sql<{ last: string | null }>`
      select max(order_id) as last from (
        select order_id from orders where order_id > ${after} order by order_id limit ${ROWS_PER_STEP}
      ) as step`.execute(db)
    const last = rows[0]!.last
    if (last === null) return
    await sql`update orders set order_number = ${number}
      where order_id > ${after} and order_id <= ${last} and placed is not null and order_number is null`.execute(db)
    after = last
  }
}
