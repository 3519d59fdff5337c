import { createHmac } from 'node:crypto'
import type { Database } from '../../storage/database.ts'
import { randomBase62 } from '../../storage/keys/api-key-format.ts'
import { addRefreshToken } from '../../storage/shoppers/refresh-tokens.ts'
import type { ShopperAccount } from '../../storage/shoppers/shopper-accounts.ts'
import { addShopperSession } from '../../storage/shoppers/shopper-sessions.ts'

const MINUTE_MS = 60_000
export const SHOPPER_TOKEN_TTL_MS = 60 * MINUTE_MS
export const REFRESH_TOKEN_TTL_MS = 30 * 24 * 60 * MINUTE_MS
const TOKEN_LENGTH = 43

/** What a shopper is given at a sign-in, and at each refresh of it. */
export interface OpenShopperSession {
  customerId: string
  shopperToken: string
  expiresAt: Date
  refreshToken: string
  refreshExpiresAt: Date
}

export interface SessionTokens {
  shopperToken: string
  refreshToken: string
}

export type SessionShopper = Pick<ShopperAccount, 'tenant_id' | 'mode' | 'shopper_id' | 'customer_id'>

/** A sign-in: a new family of tokens. */
export function openShopperSession(
  transaction: Database,
  shopper: SessionShopper,
  now: number,
): Promise<OpenShopperSession> {
  const tokens = { shopperToken: randomBase62(TOKEN_LENGTH), refreshToken: randomBase62(TOKEN_LENGTH) }
  return storeShopperSession(transaction, shopper, randomBase62(TOKEN_LENGTH), tokens, now)
}

export async function storeShopperSession(
  transaction: Database,
  shopper: SessionShopper,
  familyId: string,
  { shopperToken, refreshToken }: SessionTokens,
  now: number,
): Promise<OpenShopperSession> {
  const { tenant_id, mode, shopper_id, customer_id } = shopper
  if (customer_id === null) throw new Error(`shopper ${shopper_id} has no customer`)
  const at = new Date(now)
  const expiresAt = new Date(now + SHOPPER_TOKEN_TTL_MS)
  const refreshExpiresAt = new Date(now + REFRESH_TOKEN_TTL_MS)
  const session = { tenant_id, mode, customer_id, family_id: familyId }
  await addShopperSession(transaction, shopperToken, session, { at, expiresAt })
  const of = { family_id: familyId, shopper_id }
  await addRefreshToken(transaction, refreshToken, of, { at, expiresAt: refreshExpiresAt })
  return { customerId: customer_id, shopperToken, expiresAt, refreshToken, refreshExpiresAt }
}

/**
 * The tokens that follow a refresh token. They are made of it and of its family's id, which nobody is told: so whoever lost the answer can be
 * given the same ones again though only digests are stored, and neither a stolen token nor a stolen store is enough to make them.
 */
export function deriveNextTokens(refreshToken: string, familyId: string): SessionTokens {
  const made = (what: string) => createHmac('sha256', familyId).update(`${what}\n${refreshToken}`).digest('base64url')
  return { shopperToken: made('shopper'), refreshToken: made('refresh') }
}
