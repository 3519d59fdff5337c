import { Problem } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import {
  consumeRefreshToken,
  findRefreshToken,
  type RefreshToken,
  revokeTokenFamily,
} from '../../storage/shoppers/refresh-tokens.ts'
import type { TenantColumns } from '../../storage/shoppers/shopper-accounts.ts'
import { findShopperSessionExpiry } from '../../storage/shoppers/shopper-sessions.ts'
import { transact } from '../../storage/transact.ts'
import type { CommandDependencies } from '../command-context.ts'
import { deriveNextTokens, type OpenShopperSession, storeShopperSession } from './shopper-session.ts'

/** So long after its use, a token gives the same successors once more: for two tabs at once, and for an answer that was lost. */
const GRACE_MS = 10_000

/**
 * Exchanges a refresh token for new tokens. Of many at once one rotates it, and the others are given what that one was given: there is never
 * more than one chain, so a thief and the shopper who share it meet at the next rotation. A token that was used longer ago than ten seconds,
 * or whose successor was used, was stolen from somebody: the whole family ends, shopper tokens too.
 */
export async function refreshSession(
  { db, now }: CommandDependencies,
  realm: TenantColumns,
  token: string,
): Promise<OpenShopperSession> {
  const session = await transact(db, (transaction) => rotated(transaction, realm, token, now()))
  if (!session) throw new Problem('invalid_refresh_token')
  return session
}

async function rotated(
  db: Database,
  realm: TenantColumns,
  token: string,
  now: number,
): Promise<OpenShopperSession | null> {
  const at = new Date(now)
  const known = await findRefreshToken(db, realm, token)
  if (!known || known.revoked_at !== null || known.expires_at <= at.toISOString()) return null
  const successors = deriveNextTokens(token, known.family_id)
  if (await consumeRefreshToken(db, token, at)) return storeShopperSession(db, known, known.family_id, successors, now)
  const used = known.used_at === null ? await findRefreshToken(db, realm, token) : known
  if (!used || used.revoked_at !== null) return null
  const again = await givenAgain(db, realm, used, successors, now)
  if (!again) await revokeTokenFamily(db, used.family_id, at)
  return again
}

async function givenAgain(
  db: Database,
  realm: TenantColumns,
  used: RefreshToken,
  { shopperToken, refreshToken }: ReturnType<typeof deriveNextTokens>,
  now: number,
): Promise<OpenShopperSession | null> {
  if (used.used_at === null || used.customer_id === null || now - Date.parse(used.used_at) > GRACE_MS) return null
  const next = await findRefreshToken(db, realm, refreshToken)
  const expiresAt = await findShopperSessionExpiry(db, shopperToken)
  if (!next || next.used_at !== null || next.revoked_at !== null || !expiresAt) return null
  const refreshExpiresAt = new Date(next.expires_at)
  return { customerId: used.customer_id, shopperToken, expiresAt, refreshToken, refreshExpiresAt }
}
