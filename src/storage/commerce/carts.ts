import type { Selectable } from 'kysely'
import { randomBase62 } from '../../security/base62.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import { type CustomerColumns, type CustomerKey, customerColumns } from './customer-key.ts'

/** A cart that belongs to another merchant, mode or customer counts as absent. */
export interface CartKey extends CustomerKey {
  cart_id: string
}

/** Quantities are decimal strings; `order_quantity` is in `order_uom`, and both are null or neither. */
export interface StoredCartLine {
  line_id: string
  sku: string
  /** The product's name when the line was added, for when the inventory system is down. */
  name: string
  quantity: string
  uom: string
  order_uom: string | null
  order_quantity: string | null
}

/** An accepted promotion, spelled as the pricing system spells it. */
export interface CartPromotionCode {
  code: string
  description: string | null
}

/** A cart as it is stored. `P` is the last pricing with the version that it priced. */
export interface CartRecord<P = unknown> extends CustomerColumns {
  cart_id: string
  state: 'ACTIVE' | 'CONVERTED' | 'EXPIRED'
  /** Increases with every change of lines or promotions. */
  version: number
  lines: StoredCartLine[]
  promotions: CartPromotionCode[]
  pricing: P | null
  /** The order that this cart became. On an ACTIVE cart: the order of the checkout in progress. */
  order_id: string | null
  created_at: string
  updated_at: string
  expires_at: string
}

/** Only such ids are queried: PostgreSQL fails on text that it cannot encode. */
export const isCartId = (id: string): boolean => /^cart_[0-9A-Za-z]{22}$/.test(id)

/** Creates a cart: empty, or as `fill` makes it of an empty one. */
export async function insertCart(
  db: Database,
  customer: CustomerKey,
  times: { now: string; expiresAt: string },
  fill: (empty: CartRecord) => CartRecord = (empty) => empty,
): Promise<CartRecord> {
  const cart = fill({
    cart_id: `cart_${randomBase62(22)}`,
    ...customerColumns(customer),
    state: 'ACTIVE',
    version: 1,
    lines: [],
    promotions: [],
    pricing: null,
    order_id: null,
    created_at: times.now,
    updated_at: times.now,
    expires_at: times.expiresAt,
  })
  await db
    .insertInto('carts')
    .values({ ...cart, lines: JSON.stringify(cart.lines), promotions: '[]' } as Tables['carts'])
    .execute()
  return cart
}

/** Returns `null` for an unknown cart, and for another customer's. */
export async function findCart(db: Database, key: CartKey): Promise<CartRecord | null> {
  if (!isCartId(key.cart_id)) return null
  const row = await db.selectFrom('carts').selectAll().where('cart_id', '=', key.cart_id).executeTakeFirst()
  const isOwn = row && row.tenant_id === key.merchant && row.mode === key.mode && row.customer_id === key.customer_id
  return isOwn ? toCart(row) : null
}

/** Replaces the lines and promotions of `version` and increments it. `false`: the cart has another version, or is being checked out. */
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

/** Stores the pricing of a version. `false`: the cart has changed, or is being checked out and keeps the pricing of its order. */
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

/** Binds a cart to the order of its checkout, which locks its contents. `false`: it has another version, or is already bound. */
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

/** Makes a bound cart editable again. */
export async function unbindCart(db: Database, cartId: string, orderId: string): Promise<void> {
  await db
    .updateTable('carts')
    .set({ order_id: null, state: 'ACTIVE' })
    .where('cart_id', '=', cartId)
    .where('order_id', '=', orderId)
    .execute()
}

/** Marks a bound cart as converted into its order. */
export async function convertCart(db: Database, cartId: string, orderId: string, now: string): Promise<void> {
  await db
    .updateTable('carts')
    .set({ state: 'CONVERTED', updated_at: now })
    .where('cart_id', '=', cartId)
    .where('order_id', '=', orderId)
    .execute()
}

export function toCart(row: Selectable<Tables['carts']>): CartRecord {
  return {
    ...row,
    lines: JSON.parse(row.lines) as StoredCartLine[],
    promotions: JSON.parse(row.promotions) as CartPromotionCode[],
    pricing: row.pricing === null ? null : (JSON.parse(row.pricing) as unknown),
  }
}
