import { randomBase62 } from '../../security/base62.ts'
import { type CustomerKey, customerColumns } from '../commerce/customer-key.ts'
import type { Database } from '../database.ts'

/** A shopper who waits for a product. */
export interface BackInStockRequest {
  sku: string
  created_at: string
  expires_at: string
}

/** How many products one customer may wait for. */
export const MAX_BACK_IN_STOCK_REQUESTS = 50
/** An attempt fails only if another request takes the same place at the same moment. */
const MAX_ATTEMPTS = 5

/** Returns what a customer waits for, the newest first; without those that have expired. */
export async function listBackInStockRequests(
  db: Database,
  customer: CustomerKey,
  now: string,
): Promise<BackInStockRequest[]> {
  const rows = await selectOwn(db, customer).where('expires_at', '>', now).execute()
  return rows
    .map(({ slot: _, ...request }) => request)
    .sort((a, b) => b.created_at.localeCompare(a.created_at) || a.sku.localeCompare(b.sku))
}

/** Adds a request, or renews the one for the same product, which keeps its place. Returns `null` when the customer has as many as allowed. */
export async function addBackInStockRequest(
  db: Database,
  customer: CustomerKey,
  request: BackInStockRequest,
): Promise<{ request: BackInStockRequest; isNew: boolean } | null> {
  const { sku, created_at, expires_at } = request
  const columns = customerColumns(customer)
  await deleteExpired(db, customer, created_at)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const own = await selectOwn(db, customer).execute()
    const known = own.find((one) => one.sku === sku)
    if (known) {
      await ofProduct(db.updateTable('back_in_stock_requests').set({ expires_at }), customer, sku).execute()
      return { request: { sku, created_at: known.created_at, expires_at }, isNew: false }
    }
    const slot = findFreeSlot(own.map((one) => one.slot))
    if (slot === null) return null
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('back_in_stock_requests')
      .values({ request_id: `bis_${randomBase62(22)}`, ...columns, sku, slot, created_at, expires_at })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 1n) return { request, isNew: true }
  }
  return null
}

/** Returns whether there was a request. */
export async function deleteBackInStockRequest(db: Database, customer: CustomerKey, sku: string): Promise<boolean> {
  const { numDeletedRows } = await ofProduct(
    db.deleteFrom('back_in_stock_requests'),
    customer,
    sku,
  ).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Deletes a request in the transaction that fulfils it. `false`: another process has fulfilled it, or the shopper withdrew it. */
export async function takeBackInStockRequest(transaction: Database, requestId: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('back_in_stock_requests')
    .where('request_id', '=', requestId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

function selectOwn(db: Database, customer: CustomerKey) {
  const { tenant_id, mode, customer_id } = customerColumns(customer)
  return db
    .selectFrom('back_in_stock_requests')
    .select(['sku', 'slot', 'created_at', 'expires_at'])
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .where('customer_id', '=', customer_id)
}

interface Filterable<Q> {
  where(column: 'tenant_id' | 'mode' | 'customer_id' | 'sku', operator: '=', value: never): Q
}

const ofProduct = <Q extends Filterable<Q>>(query: Q, customer: CustomerKey, sku: string): Q =>
  Object.entries({ ...customerColumns(customer), sku }).reduce(
    (filtered, [column, value]) => filtered.where(column as 'sku', '=', value as never),
    query,
  )

async function deleteExpired(db: Database, customer: CustomerKey, now: string): Promise<void> {
  const { tenant_id, mode, customer_id } = customerColumns(customer)
  await db
    .deleteFrom('back_in_stock_requests')
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .where('customer_id', '=', customer_id)
    .where('expires_at', '<=', now)
    .execute()
}

function findFreeSlot(taken: readonly number[]): number | null {
  for (let slot = 1; slot <= MAX_BACK_IN_STOCK_REQUESTS; slot++) if (!taken.includes(slot)) return slot
  return null
}
