import { randomBase62 } from '../../security/base62.ts'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { type TenantColumns, tenantColumns, tenantOf } from '../tenant-columns.ts'

/** A shopper's account: an email address, a password, and the customer that it belongs to. */
export interface ShopperAccount extends TenantColumns {
  shopper_id: string
  email: string
  password_hash: string
  customer_id: string | null
}

const columns = ['shopper_id', 'tenant_id', 'mode', 'email', 'password_hash', 'customer_id', 'verified_at'] as const

export const generateShopperId = (): string => `shp_${randomBase62(22)}`

export async function findShopperByEmail(db: Database, { merchant, mode }: Tenant, email: string) {
  const shoppers = db.selectFrom('shoppers').select(columns).where('tenant_id', '=', merchant).where('mode', '=', mode)
  return (await shoppers.where('email', '=', email).executeTakeFirst()) ?? null
}

/** Adds an account, or returns the existing one of that email address unchanged, and whether its address was verified. */
export async function addShopper(
  db: Database,
  shopper: ShopperAccount,
  at: Date,
  verifiedAt: Date | null,
): Promise<{ shopper: ShopperAccount; added: boolean; wasVerified: boolean }> {
  const times = { created_at: at.toISOString(), updated_at: at.toISOString() }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('shoppers')
    .values({ ...shopper, ...times, verified_at: verifiedAt?.toISOString() ?? null })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'mode', 'email']).doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 1n) return { shopper, added: true, wasVerified: false }
  const existing = await findShopperByEmail(db, tenantOf(shopper), shopper.email)
  if (!existing) throw new Error('the existing account was deleted meanwhile')
  return { shopper: existing, added: false, wasVerified: existing.verified_at !== null }
}

/** Sets a new password. The email address counts as verified, as the caller has proved access to the mailbox. */
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

/** Locks an account until the transaction ends. `false`: its password has changed. */
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

/** Returns the verified email addresses of a customer's accounts, the oldest first. */
export async function listVerifiedEmails(
  db: Database,
  tenant: Tenant,
  customerId: string,
  limit: number,
): Promise<string[]> {
  const { tenant_id, mode } = tenantColumns(tenant)
  const rows = await db
    .selectFrom('shoppers')
    .select('email')
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .where('customer_id', '=', customerId)
    .where('verified_at', 'is not', null)
    .orderBy('created_at')
    .limit(limit)
    .execute()
  return rows.map(({ email }) => email)
}
