import { createHmac } from 'node:crypto'
import { randomBase62 } from '../../security/base62.ts'
import type { Database } from '../../storage/database.ts'
import { addRefreshToken } from '../../storage/shoppers/refresh-tokens.ts'
import type { ShopperAccount } from '../../storage/shoppers/shopper-accounts.ts'
import { addShopperSession } from '../../storage/shoppers/shopper-sessions.ts'
import { tenantOf } from '../../storage/tenant-columns.ts'
import { rememberSignInAddress } from './identify-shopper-client.ts'
import { createShopperDeviceToken } from './shopper-device-token.ts'

const MINUTE_MS = 60_000
export const SHOPPER_TOKEN_TTL_MS = 60 * MINUTE_MS
export const REFRESH_TOKEN_TTL_MS = 30 * 24 * 60 * MINUTE_MS
const TOKEN_LENGTH = 43

/** The tokens that a shopper gets at a sign-in, and at each refresh. */
export interface OpenShopperSession {
  customerId: string
  shopperToken: string
  expiresAt: Date
  refreshToken: string
  refreshExpiresAt: Date
  /** Marks the device as known at later sign-ins. */
  deviceToken: string
}

export interface SessionTokens {
  shopperToken: string
  refreshToken: string
}

export type SessionShopper = Pick<ShopperAccount, 'tenant_id' | 'mode' | 'shopper_id' | 'customer_id' | 'password_hash'>

/** Opens a session with a new family of tokens, and remembers the client's address. */
export async function openShopperSession(
  transaction: Database,
  shopper: SessionShopper,
  now: number,
  clientAddress: string | null = null,
): Promise<OpenShopperSession> {
  await rememberSignInAddress(transaction, shopper, clientAddress, now)
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
  const { shopper_id, customer_id } = shopper
  if (customer_id === null) throw new Error(`Shopper ${shopper_id} has no customer`)
  const at = new Date(now)
  const expiresAt = new Date(now + SHOPPER_TOKEN_TTL_MS)
  const refreshExpiresAt = new Date(now + REFRESH_TOKEN_TTL_MS)
  const session = { ...tenantOf(shopper), customer_id, family_id: familyId }
  await addShopperSession(transaction, shopperToken, session, { at, expiresAt })
  const family = { family_id: familyId, shopper_id }
  await addRefreshToken(transaction, refreshToken, family, { at, expiresAt: refreshExpiresAt })
  const deviceToken = createShopperDeviceToken(shopper, familyId)
  return { customerId: customer_id, shopperToken, expiresAt, refreshToken, refreshExpiresAt, deviceToken }
}

/**
 * Derives the successors of a refresh token from the token and its family's secret id. A client that lost the response can thus get the same
 * tokens again although only digests are stored. Neither a stolen token nor a stolen store is enough to derive them.
 */
export function deriveNextTokens(refreshToken: string, familyId: string): SessionTokens {
  const derive = (purpose: string) =>
    createHmac('sha256', familyId).update(`${purpose}\n${refreshToken}`).digest('base64url')
  return { shopperToken: derive('shopper'), refreshToken: derive('refresh') }
}
