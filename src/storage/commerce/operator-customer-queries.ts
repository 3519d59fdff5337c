import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import type { CustomerKey } from './customer-key.ts'

/** Returns the latest orders of a customer that are stored here, newest first. */
export const listCustomerOrders = (db: Database, { merchant, mode, customer_id }: CustomerKey, limit: number) =>
  db
    .selectFrom('orders')
    .select(['order_id', 'order_number', 'status', 'created_at'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('customer_id', '=', customer_id)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()

/** Returns the latest carts of a customer, newest first. */
export const listCustomerCarts = (db: Database, { merchant, mode, customer_id }: CustomerKey, limit: number) =>
  db
    .selectFrom('carts')
    .select(['cart_id', 'state', 'order_id', 'lines', 'created_at', 'updated_at', 'expires_at'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('customer_id', '=', customer_id)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()

/** An account of a shopper, without its email address. */
export interface ShopperAccountFacts {
  shopper_id: string
  tenant_id: string
  mode: Tenant['mode']
  customer_id: string | null
  verified_at: string | null
  created_at: string
}

const accountColumns = ['shopper_id', 'tenant_id', 'mode', 'customer_id', 'verified_at', 'created_at'] as const

export async function findShopperAccount(db: Database, shopperId: string): Promise<ShopperAccountFacts | null> {
  const account = db.selectFrom('shoppers').select(accountColumns).where('shopper_id', '=', shopperId)
  return (await account.executeTakeFirst()) ?? null
}

export const listCustomerAccounts = (db: Database, customer: CustomerKey): Promise<ShopperAccountFacts[]> =>
  db
    .selectFrom('shoppers')
    .select(accountColumns)
    .where('tenant_id', '=', customer.merchant)
    .where('mode', '=', customer.mode)
    .where('customer_id', '=', customer.customer_id)
    .limit(20)
    .execute()

/** Counts the sign-ins of an account that have not ended, each on one device. */
export async function countSignIns(db: Database, shopperId: string, at: string): Promise<number> {
  const { count } = await db
    .selectFrom('refresh_tokens')
    .select(({ fn }) => fn.count('family_id').distinct().as('count'))
    .where('shopper_id', '=', shopperId)
    .where('expires_at', '>', at)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
