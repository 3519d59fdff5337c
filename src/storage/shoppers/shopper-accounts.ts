import type { Mode } from '../../config/config.ts'
import type { Database } from '../database.ts'
import { randomBase62 } from '../keys/api-key-format.ts'

/** One merchant in one mode: nothing is shared between two of them. */
export interface TenantColumns {
  tenant_id: string
  mode: Mode
}

/** An account: an address, a password, and the customer that they stand for. */
export interface ShopperAccount extends TenantColumns {
  shopper_id: string
  email: string
  password_hash: string
  customer_id: string | null
}

const columns = ['shopper_id', 'tenant_id', 'mode', 'email', 'password_hash', 'customer_id'] as const

export const generateShopperId = (): string => `shp_${randomBase62(22)}`

export async function findShopperByEmail(db: Database, { tenant_id, mode }: TenantColumns, email: string) {
  const found = db.selectFrom('shoppers').select(columns).where('tenant_id', '=', tenant_id).where('mode', '=', mode)
  return (await found.where('email', '=', email).executeTakeFirst()) ?? null
}

export async function findShopperById(db: Database, shopperId: string): Promise<ShopperAccount | null> {
  const found = db.selectFrom('shoppers').select(columns).where('shopper_id', '=', shopperId)
  return (await found.executeTakeFirst()) ?? null
}

/** The account of this address: this one when there was none, else the one that was there, unchanged. */
export async function addShopper(
  db: Database,
  shopper: ShopperAccount,
  at: Date,
  verifiedAt: Date | null,
): Promise<{ shopper: ShopperAccount; added: boolean }> {
  const times = { created_at: at.toISOString(), updated_at: at.toISOString() }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('shoppers')
    .values({ ...shopper, ...times, verified_at: verifiedAt?.toISOString() ?? null })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'mode', 'email']).doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 1n) return { shopper, added: true }
  const there = await findShopperByEmail(db, shopper, shopper.email)
  if (!there) throw new Error('an account that was there a moment ago is gone')
  return { shopper: there, added: false }
}

/** A new password, set by somebody who reads the mailbox. */
export async function setShopperPassword(
  db: Database,
  shopperId: string,
  passwordHash: string,
  at: Date,
): Promise<void> {
  const now = at.toISOString()
  await db
    .updateTable('shoppers')
    .set((eb) => ({
      password_hash: passwordHash,
      updated_at: now,
      verified_at: eb.fn.coalesce('verified_at', eb.val(now)),
    }))
    .where('shopper_id', '=', shopperId)
    .execute()
}

/** Holds the account as it is until the transaction ends. False when its password is no longer this one. */
export async function lockShopperPassword(
  db: Database,
  { shopper_id, password_hash }: ShopperAccount,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('shoppers')
    .set({ password_hash })
    .where('shopper_id', '=', shopper_id)
    .where('password_hash', '=', password_hash)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function deleteShopper(db: Database, shopperId: string): Promise<void> {
  await db.deleteFrom('shoppers').where('shopper_id', '=', shopperId).execute()
}
