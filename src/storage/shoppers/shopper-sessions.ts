import { sha256Hex } from '../../security/sha256.ts'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { tenantColumns, tenantOf } from '../tenant-columns.ts'

export interface ShopperSession extends Tenant {
  /** The customer's id in the merchant's back office. */
  customer_id: string
}

/** Returns the session of a shopper token; `null` alike for one that is unknown, expired or revoked. */
export async function findShopperSession(db: Database, token: string, at = new Date()): Promise<ShopperSession | null> {
  const row = await db
    .selectFrom('shopper_sessions')
    .select(['tenant_id', 'mode', 'customer_id', 'expires_at', 'revoked_at'])
    .where('digest', '=', sha256Hex(token))
    .executeTakeFirst()
  if (!row || row.revoked_at !== null || row.expires_at <= at.toISOString()) return null
  return { ...tenantOf(row), customer_id: row.customer_id }
}

/** Adds a session. Only the token's digest is stored. */
export async function addShopperSession(
  db: Database,
  token: string,
  session: ShopperSession & { family_id: string },
  times: { at: Date; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto('shopper_sessions')
    .values({
      digest: sha256Hex(token),
      ...tenantColumns(session),
      customer_id: session.customer_id,
      family_id: session.family_id,
      created_at: times.at.toISOString(),
      expires_at: times.expiresAt.toISOString(),
      revoked_at: null,
    })
    .execute()
}

/** Returns when a shopper token expires; `null`: it is unknown or revoked. */
export async function findShopperSessionExpiry(db: Database, token: string): Promise<Date | null> {
  const row = await db
    .selectFrom('shopper_sessions')
    .select(['expires_at', 'revoked_at'])
    .where('digest', '=', sha256Hex(token))
    .executeTakeFirst()
  return row && row.revoked_at === null ? new Date(row.expires_at) : null
}
