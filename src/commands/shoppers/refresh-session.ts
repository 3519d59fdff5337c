import { Problem } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import {
  findRefreshToken,
  type RefreshToken,
  revokeFamily,
  useRefreshToken,
} from '../../storage/shoppers/refresh-tokens.ts'
import { endOfShopperSession } from '../../storage/shoppers/shopper-sessions.ts'
import type { Realm } from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import type { Commerce } from '../command-context.ts'
import { type OpenSession, storeSession, successorsOf } from './shopper-session.ts'

/** So long after its use, a token gives the same successors once more: for two tabs at once, and for an answer that was lost. */
const GRACE_MS = 10_000

/**
 * Exchanges a refresh token for new tokens. Of many at once one rotates it, and the others are given what that one was given: there is never
 * more than one chain, so a thief and the shopper who share it meet at the next rotation. A token that was used longer ago than ten seconds,
 * or whose successor was used, was stolen from somebody: the whole family ends, shopper tokens too.
 */
export async function refresh({ db, now }: Commerce, realm: Realm, token: string): Promise<OpenSession> {
  const session = await transact(db, (transaction) => rotated(transaction, realm, token, now()))
  if (!session) throw new Problem('invalid_refresh_token')
  return session
}

async function rotated(db: Database, realm: Realm, token: string, now: number): Promise<OpenSession | null> {
  const at = new Date(now)
  const known = await findRefreshToken(db, realm, token)
  if (!known || known.revoked_at !== null || known.expires_at <= at.toISOString()) return null
  const successors = successorsOf(token, known.family_id)
  if (await useRefreshToken(db, token, at)) return storeSession(db, known, known.family_id, successors, now)
  const used = known.used_at === null ? await findRefreshToken(db, realm, token) : known
  if (!used || used.revoked_at !== null) return null
  const again = await givenAgain(db, realm, used, successors, now)
  if (!again) await revokeFamily(db, used.family_id, at)
  return again
}

async function givenAgain(
  db: Database,
  realm: Realm,
  used: RefreshToken,
  { shopperToken, refreshToken }: ReturnType<typeof successorsOf>,
  now: number,
): Promise<OpenSession | null> {
  if (used.used_at === null || used.customer_id === null || now - Date.parse(used.used_at) > GRACE_MS) return null
  const next = await findRefreshToken(db, realm, refreshToken)
  const expiresAt = await endOfShopperSession(db, shopperToken)
  if (!next || next.used_at !== null || next.revoked_at !== null || !expiresAt) return null
  const refreshExpiresAt = new Date(next.expires_at)
  return { customerId: used.customer_id, shopperToken, expiresAt, refreshToken, refreshExpiresAt }
}
