import type { Mode } from '../../config/config.ts'
import type { Database } from '../database.ts'
import { sha256Hex } from '../keys/api-key-format.ts'

export interface ShopperSession {
  tenant_id: string
  mode: Mode
  /** The customer's id in the merchant's back office. */
  customer_id: string
}

/** The session that a shopper token opens at that instant, or `null`: unknown, ended or revoked, without a difference. */
export async function findShopperSession(db: Database, token: string, at = new Date()): Promise<ShopperSession | null> {
  const row = await db
    .selectFrom('shopper_sessions')
    .select(['tenant_id', 'mode', 'customer_id', 'expires_at', 'revoked_at'])
    .where('digest', '=', sha256Hex(token))
    .executeTakeFirst()
  if (!row || row.revoked_at !== null || row.expires_at <= at.toISOString()) return null
  return { tenant_id: row.tenant_id, mode: row.mode, customer_id: row.customer_id }
}

/** Only the token's digest is stored. */
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
      ...{ tenant_id: session.tenant_id, mode: session.mode },
      ...{ customer_id: session.customer_id, family_id: session.family_id },
      ...{ created_at: times.at.toISOString(), expires_at: times.expiresAt.toISOString(), revoked_at: null },
    })
    .execute()
}

/** When a shopper token ends; `null`: it is not known, or was revoked. */
export async function findShopperSessionExpiry(db: Database, token: string): Promise<Date | null> {
  const row = await db
    .selectFrom('shopper_sessions')
    .select(['expires_at', 'revoked_at'])
    .where('digest', '=', sha256Hex(token))
    .executeTakeFirst()
  return row && row.revoked_at === null ? new Date(row.expires_at) : null
}
