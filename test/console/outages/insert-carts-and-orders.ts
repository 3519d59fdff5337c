import { toCartTimes } from '../../../src/commands/carts/cart-lifetime.ts'
import type { StoredCartPricing } from '../../../src/commands/carts/stored-cart-pricing.ts'
import type { OrderLine } from '../../../src/ports/order.ts'
import { type CartRecord, insertCart, storeCartPricing } from '../../../src/storage/commerce/carts.ts'
import { insertOrderTry, type OrderTryRow } from '../../../src/storage/commerce/order-tries.ts'
import type { OrderRecord } from '../../../src/storage/commerce/orders.ts'
import type { Database } from '../../../src/storage/database.ts'
import { insertPendingOrder } from '../pages/pending-order.ts'
import { draftWithSecrets } from '../pages/planted-words.ts'
import { MINUTE_MS } from './outage-times.ts'

const TENANT = { merchant: 'acme', mode: 'live' } as const
const iso = (ms: number) => new Date(ms).toISOString()

const brakePad = { sku: 'BP-1001', name: 'Brake pad', quantity: '1', uom: 'EA' }
const cartLine = { ...brakePad, line_id: 'line_1', order_uom: null, order_quantity: null }

/** Inserts a cart with a brake pad, which was filled five minutes before and priced a minute before. */
export async function insertOpenCart(db: Database, customer_id: string, at: number): Promise<CartRecord> {
  const cart = await insertUnpricedCart(db, customer_id, at)
  const pricedAt = at - MINUTE_MS
  const pricing: StoredCartPricing = {
    ...{ version: cart.version, complete_once: true, unpriced: [], promotions: [], lines: [], credit: null },
    priced_at: iso(pricedAt),
    expires_at: iso(pricedAt + 15 * MINUTE_MS),
    totals: draftWithSecrets('ref', customer_id).totals,
  }
  await storeCartPricing(db, cart.cart_id, cart.version, pricing)
  return { ...cart, pricing }
}

/** Inserts a cart that the shopper has filled and not looked at since. */
export const insertUnpricedCart = (db: Database, customer_id: string, at: number): Promise<CartRecord> =>
  insertCart(db, { ...TENANT, customer_id }, toCartTimes(at - 5 * MINUTE_MS), (empty) => ({
    ...empty,
    lines: [cartLine],
  }))

/** Inserts an order that waits, and its cart. An order is stored before accounting is called. */
export async function insertPlacedCart(
  db: Database,
  customer_id: string,
  at: number,
  change: Partial<OrderRecord>,
  tries: readonly Omit<OrderTryRow, 'order_id'>[],
) {
  const { cart_id } = await insertOpenCart(db, customer_id, at)
  const line = { ...brakePad, line_total: '10.00' }
  const draft = { ...draftWithSecrets('ref', customer_id), lines: [line as OrderLine] }
  const waitsSince = tries[0]!.at
  const all = { updated_at: waitsSince, ...change, cart_id, draft }
  const order_id = await insertPendingOrder(db, { ...TENANT, customer_id }, iso(at), all, tries)
  const converted = { order_id, state: 'CONVERTED', updated_at: waitsSince } as const
  await db.updateTable('carts').set(converted).where('cart_id', '=', cart_id).execute()
  return { order_id, cart_id }
}

/** Accounting placed an order at its next attempt. */
export async function placeOrder(db: Database, order_id: string, attempt: number, order_number: string, at: number) {
  await insertOrderTry(db, { order_id, number: attempt, at: iso(at), ms: 40, outcome: 'placed', kind: '' })
  const placed = { status: 'CONFIRMED', placed: JSON.stringify({ order_number }), order_number } as const
  await db
    .updateTable('orders')
    .set({ ...placed, attempts: attempt, updated_at: iso(at) })
    .where('order_id', '=', order_id)
    .execute()
}
