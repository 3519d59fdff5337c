import { insertCart } from '../../src/storage/commerce/carts.ts'
import { customerColumns } from '../../src/storage/commerce/customer-key.ts'
import { issueApiKey, revokeApiKey } from '../../src/storage/keys/api-keys.ts'
import { insertPendingOrder } from '../console/pages/pending-order.ts'
import type { RunningForecourt } from './running-forecourt.ts'

const CUSTOMER = { merchant: 'acme', mode: 'live' as const, customer_id: 'C-77' }
const SHOPPER = 'shp_0000000000000000000001'

/** The ids of things that have pages of their own. */
export interface SupportRecords {
  orderId: string
  /** The paths of an order, a cart, a customer, an account and a key. */
  paths: string[]
}

/** Inserts a customer with an account, a cart and a pending order, and a revoked key that is still used. */
export async function insertSupportRecords(running: RunningForecourt): Promise<SupportRecords> {
  const { db } = running.forecourt
  const at = new Date().toISOString()
  const { cart_id } = await insertCart(db, CUSTOMER, { now: at, expiresAt: '2099-01-01T00:00:00.000Z' })
  await db
    .insertInto('shoppers')
    .values({
      ...customerColumns(CUSTOMER),
      shopper_id: SHOPPER,
      email: 'shopper@acme.example',
      password_hash: 'none',
      created_at: at,
      updated_at: at,
      verified_at: null,
    })
    .execute()
  const orderId = await insertPendingOrder(db, CUSTOMER, at)
  // The search box then has two matches of this number.
  await db.updateTable('orders').set({ order_number: CUSTOMER.customer_id }).where('order_id', '=', orderId).execute()
  const request = { merchant: 'acme', kind: 'publishable', mode: 'live', label: 'Till 4' } as const
  const { key, record } = await issueApiKey(db, request)
  await revokeApiKey(db, record.key_id)
  await fetch(`${running.forecourt.address}/v1/products`, { headers: { authorization: `Bearer ${key}` } })
  return {
    orderId,
    paths: [
      `/orders/${orderId}`,
      `/carts/${cart_id}`,
      '/customers/acme/live/C-77',
      `/shoppers/${SHOPPER}`,
      `/keys/${record.key_id}`,
      `/orders/${orderId}/accounting`,
    ],
  }
}
