import { Problem } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import {
  consumeRefreshToken,
  findRefreshToken,
  type RefreshToken,
  revokeTokenFamily,
} from '../../storage/shoppers/refresh-tokens.ts'
import { findShopperSessionExpiry } from '../../storage/shoppers/shopper-sessions.ts'
import { transact } from '../../storage/transact.ts'
import type { Tenant } from '../../tenant.ts'
import type { CommandDependencies } from '../command-context.ts'
import { deriveNextTokens, type OpenShopperSession, storeShopperSession } from './open-shopper-session.ts'
import { createShopperDeviceToken } from './shopper-device-token.ts'

/** For this long after its use, a token returns the same successors again: for two tabs at once, and for a lost response. */
const GRACE_MS = 10_000

/**
 * Exchanges a refresh token for new tokens. Of concurrent requests with one token, one rotates it and the others get the same successors.
 * So there is never more than one chain, and a thief and the shopper who share a token collide at the next rotation. A token that was used
 * more than ten seconds ago, or whose successor was used, counts as stolen: its whole family is revoked, including the shopper tokens.
 */
export async function refreshSession(
  { db, now }: CommandDependencies,
  tenant: Tenant,
  token: string,
): Promise<OpenShopperSession> {
  const session = await transact(db, (transaction) => rotate(transaction, tenant, token, now()))
  if (!session) throw new Problem('invalid_refresh_token')
  return session
}

async function rotate(db: Database, tenant: Tenant, token: string, now: number): Promise<OpenShopperSession | null> {
  const at = new Date(now)
  const stored = await findRefreshToken(db, tenant, token)
  if (!stored || stored.revoked_at !== null || stored.expires_at <= at.toISOString()) return null
  const successors = deriveNextTokens(token, stored.family_id)
  if (await consumeRefreshToken(db, token, at))
    return storeShopperSession(db, stored, stored.family_id, successors, now)
  const used = stored.used_at === null ? await findRefreshToken(db, tenant, token) : stored
  if (!used || used.revoked_at !== null) return null
  const repeated = await repeatRotation(db, tenant, used, successors, now)
  if (!repeated) await revokeTokenFamily(db, used.family_id, at)
  return repeated
}

async function repeatRotation(
  db: Database,
  tenant: Tenant,
  used: RefreshToken,
  { shopperToken, refreshToken }: ReturnType<typeof deriveNextTokens>,
  now: number,
): Promise<OpenShopperSession | null> {
  if (used.used_at === null || used.customer_id === null || now - Date.parse(used.used_at) > GRACE_MS) return null
  const next = await findRefreshToken(db, tenant, refreshToken)
  const expiresAt = await findShopperSessionExpiry(db, shopperToken)
  if (!next || next.used_at !== null || next.revoked_at !== null || !expiresAt) return null
  const refreshExpiresAt = new Date(next.expires_at)
  const deviceToken = createShopperDeviceToken(used, used.family_id)
  return { customerId: used.customer_id, shopperToken, expiresAt, refreshToken, refreshExpiresAt, deviceToken }
}
