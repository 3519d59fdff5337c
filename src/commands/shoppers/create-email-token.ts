import type { MerchantConfig } from '../../config/merchant-config.ts'
import { randomBase62 } from '../../security/base62.ts'
import type { Database } from '../../storage/database.ts'
import { addEmailToken, type EmailTokenPurpose } from '../../storage/shoppers/email-tokens.ts'
import type { Tenant } from '../../tenant.ts'
import type { CommandDependencies } from '../command-context.ts'

const HOUR_MS = 3_600_000
const LIFETIME_MS: Record<EmailTokenPurpose, number> = { verify: 24 * HOUR_MS, reset: HOUR_MS }

/** A request that anybody can make with an email address: it leads to an email, and never reveals whether an account exists. */
export interface EmailTokenRequest {
  commerce: CommandDependencies
  tenant: Tenant
  merchant: MerchantConfig
  email: string
  clientAddress: string | null
  /** The token of a device that signed in before. */
  deviceToken: string | undefined
}

/** Creates a single-use token for the owner of an email address. */
export async function createEmailToken(
  db: Database,
  { commerce: { now }, tenant, email }: EmailTokenRequest,
  purpose: EmailTokenPurpose,
  payload: object,
): Promise<string> {
  const token = randomBase62(43)
  const at = now()
  const times = { at: new Date(at), expiresAt: new Date(at + LIFETIME_MS[purpose]) }
  await addEmailToken(db, token, { ...tenant, purpose, email, payload: JSON.stringify(payload) }, times)
  return token
}
