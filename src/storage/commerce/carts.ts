import type { Selectable } from 'kysely'
import type { Mode } from '../../config/config.ts'
import type { Database } from '../database.ts'
import { randomBase62 } from '../keys/api-key-format.ts'
import type { Tables } from '../tables.ts'

/** Whose cart: what belongs to another merchant, mode or customer is answered as absent. */
export interface CartKey {
  tenant_id: string
  mode: Mode
  customer_id: string
  cart_id: string
}

/** Quantities are decimal strings; `order_quantity` is in `order_uom`, and both are null or neither. */
export interface StoredCartLine {
  line_id: string
  sku: string
  /** As it was called when it was put in: shown when the inventory cannot say. */
  name: string
  quantity: string
  uom: string
  order_uom: string | null
  order_quantity: string | null
}

/** A promotion that was taken, in the pricing system's own spelling. */
export interface CartPromotionCode {
  code: string
  description: string | null
}

/** A cart as it is stored. `P` is what the last pricing left, and which version it is of. */
export interface CartRecord<P = unknown> extends CartKey {
  state: 'ACTIVE' | 'CONVERTED' | 'EXPIRED'
  /** Rises with every change of lines or promotions. */
  version: number
  lines: StoredCartLine[]
  promotions: CartPromotionCode[]
  pricing: P | null
  /** The order that this cart became, or is being made into: set while it is ACTIVE, it is being checked out. */
  order_id: string | null
  created_at: string
  updated_at: string
  expires_at: string
}

const CART_ID = /^cart_[0-9A-Za-z]{22}$/

/** A new, empty cart. */
export async function insertCart(
  db: Database,
  owner: Omit<CartKey, 'cart_id'>,
  times: { now: string; expiresAt: string },
): Promise<CartRecord> {
  const cart: CartRecord = {
    ...{ cart_id: `cart_${randomBase62(22)}`, ...owner, state: 'ACTIVE', version: 1 },
    ...{ lines: [], promotions: [], pricing: null, order_id: null },
    ...{ created_at: times.now, updated_at: times.now, expires_at: times.expiresAt },
  }
  await db
    .insertInto('carts')
    .values({ ...cart, lines: '[]', promotions: '[]' } as Tables['carts'])
    .execute()
  return cart
}

/** `null`: there is none, or it is another's. */
export async function findCart(db: Database, key: CartKey): Promise<CartRecord | null> {
  if (!CART_ID.test(key.cart_id)) return null
  const row = await db.selectFrom('carts').selectAll().where('cart_id', '=', key.cart_id).executeTakeFirst()
  const owned = row && row.tenant_id === key.tenant_id && row.mode === key.mode && row.customer_id === key.customer_id
  return owned ? recordOf(row) : null
}

/** Puts lines and promotions in place of those of `version`, under the next one. `false`: the cart is no longer at that version, or is being checked out. */
export async function replaceCartContents(db: Database, cart: CartRecord, version: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('carts')
    .set({
      version: version + 1,
      lines: JSON.stringify(cart.lines),
      promotions: JSON.stringify(cart.promotions),
      updated_at: cart.updated_at,
      expires_at: cart.expires_at,
    })
    .where('cart_id', '=', cart.cart_id)
    .where('version', '=', version)
    .where('state', '=', 'ACTIVE')
    .where('order_id', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Keeps a pricing of that version. `false`: the cart has changed since, or is being checked out: it keeps what it was ordered at. */
export async function storeCartPricing(
  db: Database,
  cartId: string,
  version: number,
  pricing: object,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('carts')
    .set({ pricing: JSON.stringify(pricing) })
    .where('cart_id', '=', cartId)
    .where('version', '=', version)
    .where('order_id', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Binds a cart at that version to the order that it is being made into: nobody changes it from then on. `false`: it has changed, or is bound. */
export async function bindCartToOrder(
  db: Database,
  cartId: string,
  version: number,
  orderId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('carts')
    .set({ order_id: orderId })
    .where('cart_id', '=', cartId)
    .where('version', '=', version)
    .where('state', '=', 'ACTIVE')
    .where('order_id', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Gives a bound cart back to its shopper. */
export async function unbindCart(db: Database, cartId: string, orderId: string): Promise<void> {
  await db
    .updateTable('carts')
    .set({ order_id: null, state: 'ACTIVE' })
    .where('cart_id', '=', cartId)
    .where('order_id', '=', orderId)
    .execute()
}

/** Makes a bound cart the order that it was bound to; its pricing stays as it was last kept. */
export async function convertCart(db: Database, cartId: string, orderId: string, now: string): Promise<void> {
  await db
    .updateTable('carts')
    .set({ state: 'CONVERTED', updated_at: now })
    .where('cart_id', '=', cartId)
    .where('order_id', '=', orderId)
    .execute()
}

function recordOf(row: Selectable<Tables['carts']>): CartRecord {
  return {
    ...row,
    lines: JSON.parse(row.lines) as StoredCartLine[],
    promotions: JSON.parse(row.promotions) as CartPromotionCode[],
    pricing: row.pricing === null ? null : (JSON.parse(row.pricing) as unknown),
  }
}
