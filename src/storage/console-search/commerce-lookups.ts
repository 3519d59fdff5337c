import { sql } from 'kysely'
import type { Database } from '../database.ts'
import type { FoundRow } from './found-row.ts'

const MAX_ROWS = 20

const lower = (column: string) => sql<string>`lower(${sql.ref(column)})`
const lowered = (text: string) => sql<string>`lower(${text})`

export interface FoundOrder extends FoundRow {
  status: string
  order_number: string | null
}

const selectOrders = (db: Database) =>
  db.selectFrom('orders').select(['tenant_id', 'mode', 'order_id as id', 'status', 'order_number'])

export const findOrdersById = (db: Database, id: string): Promise<FoundOrder[]> =>
  selectOrders(db).where(lower('order_id'), '=', lowered(id)).limit(MAX_ROWS).execute()

/** Returns the orders with one of these numbers of the ledger. */
export const findOrdersByNumber = (db: Database, numbers: readonly string[]): Promise<FoundOrder[]> =>
  selectOrders(db).where(lower('order_number'), 'in', numbers.map(lowered)).limit(MAX_ROWS).execute()

/** Returns the last number of the ledger in the order of the index, in lower case; `before`: the last one before this text. */
export async function readLastOrderNumber(db: Database, before: string | null): Promise<string | null> {
  const number = lower('order_number')
  let query = db.selectFrom('orders').select(number.as('last')).where(number, '>', '')
  if (before !== null) query = query.where(number, '<', before)
  return (await query.orderBy(number, 'desc').limit(1).executeTakeFirst())?.last ?? null
}

export const findArchivedOrdersById = (db: Database, id: string): Promise<FoundRow[]> =>
  db
    .selectFrom('archived_orders')
    .select(['tenant_id', 'mode', 'order_id as id'])
    .where(lower('order_id'), '=', lowered(id))
    .limit(MAX_ROWS)
    .execute()

export const findCartsById = (db: Database, id: string) =>
  db
    .selectFrom('carts')
    .select(['tenant_id', 'mode', 'cart_id as id', 'updated_at'])
    .where(lower('cart_id'), '=', lowered(id))
    .limit(MAX_ROWS)
    .execute()

/** Returns the archived order that a cart became. */
export const findArchivedOrdersOfCart = (db: Database, cartId: string): Promise<FoundRow[]> =>
  db
    .selectFrom('archived_orders')
    .select(['tenant_id', 'mode', 'order_id as id'])
    .where(lower('cart_id'), '=', lowered(cartId))
    .limit(MAX_ROWS)
    .execute()

/** Returns the customers with one of these numbers who have a cart, an order or an account here; each once. */
export async function findCustomersById(db: Database, ids: readonly string[]): Promise<FoundRow[]> {
  const tables = ['carts', 'orders', 'shoppers'] as const
  const found = await Promise.all(
    tables.map((table) =>
      db
        .selectFrom(table)
        .select(['tenant_id', 'mode', 'customer_id as id'])
        .where(lower('customer_id'), 'in', ids.map(lowered))
        .groupBy(['tenant_id', 'mode', 'customer_id'])
        .limit(MAX_ROWS)
        .execute(),
    ),
  )
  const rows = found.flat() as FoundRow[]
  return [...new Map(rows.map((row) => [`${row.tenant_id}\n${row.mode}\n${row.id}`, row])).values()]
}

export interface FoundShopper extends FoundRow {
  customer_id: string | null
}

const selectShoppers = (db: Database) =>
  db.selectFrom('shoppers').select(['tenant_id', 'mode', 'shopper_id as id', 'customer_id'])

/** Returns the accounts of an email address, which is stored in lower case. */
export const findShoppersByEmail = (db: Database, email: string): Promise<FoundShopper[]> =>
  selectShoppers(db).where('email', '=', email).limit(MAX_ROWS).execute()

/** Returns an account. Its id must have its own letter case. */
export const findShoppersById = (db: Database, shopperId: string): Promise<FoundShopper[]> =>
  selectShoppers(db).where('shopper_id', '=', shopperId).execute()
