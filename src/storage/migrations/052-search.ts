import { type Kysely, sql } from 'kysely'
import { numbers, texts } from './columns.ts'
import { buildIndex } from './indexes.ts'

/** Indexes are built outside a transaction: with many rows, a build takes a long time. */
export const isTransactional = false

/** Each finds ids whatever their letter case, or what belongs to a customer or a key. */
const indexes: readonly (readonly [name: string, definition: string])[] = [
  ['request_records_by_id', 'request_records (lower(request_id), at)'],
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
]

/** Adds the failed tries of orders and the ledger's number of an order, and the indexes of the search on the operations pages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(await hasOrderNumbers(db))) await db.schema.alterTable('orders').addColumn('order_number', 'text').execute()
  const tries = texts(db.schema.createTable('order_tries').ifNotExists(), 'order_id at outcome kind')
  await numbers(tries, 'number ms').addPrimaryKeyConstraint('order_tries_key', ['order_id', 'number']).execute()
  for (const [name, definition] of indexes) await buildIndex(db, name, definition)
  await fillOrderNumbers(db)
}

const hasOrderNumbers = async (db: Kysely<unknown>) =>
  (await db.introspection.getTables()).some(
    ({ name, columns }) => name === 'orders' && columns.some((column) => column.name === 'order_number'),
  )

const ROWS_PER_STEP = 500

/** Copies the numbers of orders that an earlier release stored. */
async function fillOrderNumbers(db: Kysely<unknown>): Promise<void> {
  for (let after = ''; ; ) {
    const { rows } = await sql<{ order_id: string; placed: string | null }>`
      select order_id, placed from orders where order_id > ${after} order by order_id limit ${ROWS_PER_STEP}`.execute(
      db,
    )
    for (const { order_id, placed } of rows) {
      if (placed === null) continue
      const { order_number = null } = JSON.parse(placed) as { order_number?: string }
      await sql`update orders set order_number = ${order_number} where order_id = ${order_id}`.execute(db)
    }
    if (rows.length < ROWS_PER_STEP) return
    after = rows.at(-1)!.order_id
  }
}
