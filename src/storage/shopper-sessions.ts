import type { Mode } from '../config.ts'
import type { Database } from './database.ts'
import { digestOf } from './key-format.ts'

export interface ShopperSession {
  tenant_id: string
  mode: Mode
  /** The customer's id in the merchant's back office. */
  customer_id: string
}

/** The session that a shopper token opens at that instant, or `null`: unknown, ended or revoked, without a difference. */
export async function findShopper(db: Database, token: string, at = new Date()): Promise<ShopperSession | null> {
  const row = await db
    .selectFrom('shopper_sessions')
    .select(['tenant_id', 'mode', 'customer_id', 'expires_at', 'revoked_at'])
    .where('digest', '=', digestOf(token))
    .executeTakeFirst()
  if (!row || row.revoked_at !== null || row.expires_at <= at.toISOString()) return null
  return { tenant_id: row.tenant_id, mode: row.mode, customer_id: row.customer_id }
}
