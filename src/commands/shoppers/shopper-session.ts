import { createHmac } from 'node:crypto'
import type { Database } from '../../storage/database.ts'
import { randomBase62 } from '../../storage/keys/api-key-format.ts'
import { addRefreshToken } from '../../storage/shoppers/refresh-tokens.ts'
import { addShopperSession } from '../../storage/shoppers/shopper-sessions.ts'
import type { Shopper } from '../../storage/shoppers/shopper-accounts.ts'

const MINUTE_MS = 60_000
export const ACCESS_MS = 60 * MINUTE_MS
export const REFRESH_MS = 30 * 24 * 60 * MINUTE_MS
const TOKEN_LENGTH = 43

/** What a shopper is given at a sign-in, and at each refresh of it. */
export interface OpenSession {
  customerId: string
  shopperToken: string
  expiresAt: Date
  refreshToken: string
  refreshExpiresAt: Date
}

export interface Tokens {
  shopperToken: string
  refreshToken: string
}

export type Signed = Pick<Shopper, 'tenant_id' | 'mode' | 'shopper_id' | 'customer_id'>

/** A sign-in: a new family of tokens. */
export function openSession(transaction: Database, shopper: Signed, now: number): Promise<OpenSession> {
  const tokens = { shopperToken: randomBase62(TOKEN_LENGTH), refreshToken: randomBase62(TOKEN_LENGTH) }
  return storeSession(transaction, shopper, randomBase62(TOKEN_LENGTH), tokens, now)
}

export async function storeSession(
  transaction: Database,
  shopper: Signed,
  familyId: string,
  { shopperToken, refreshToken }: Tokens,
  now: number,
): Promise<OpenSession> {
  const { tenant_id, mode, shopper_id, customer_id } = shopper
  if (customer_id === null) throw new Error(`shopper ${shopper_id} has no customer`)
  const at = new Date(now)
  const expiresAt = new Date(now + ACCESS_MS)
  const refreshExpiresAt = new Date(now + REFRESH_MS)
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
export function successorsOf(refreshToken: string, familyId: string): Tokens {
  const made = (what: string) => createHmac('sha256', familyId).update(`${what}\n${refreshToken}`).digest('base64url')
  return { shopperToken: made('shopper'), refreshToken: made('refresh') }
}
