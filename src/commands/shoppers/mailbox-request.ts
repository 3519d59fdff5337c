import type { MerchantConfig } from '../../config/config.ts'
import type { Database } from '../../storage/database.ts'
import { randomBase62 } from '../../storage/keys/api-key-format.ts'
import { addEmailToken, type EmailTokenPurpose } from '../../storage/shoppers/email-tokens.ts'
import type { TenantColumns } from '../../storage/shoppers/shopper-accounts.ts'
import type { CommandDependencies } from '../command-context.ts'

const HOUR_MS = 3_600_000
const LASTS_MS: Record<EmailTokenPurpose, number> = { verify: 24 * HOUR_MS, reset: HOUR_MS }

/** What is asked for with no more than an address: where, for whose mailbox, and by whom. */
export interface MailboxRequest {
  commerce: CommandDependencies
  realm: TenantColumns
  merchant: MerchantConfig
  email: string
  clientAddress: string | null
}

/** Addresses are one however they are written. */
export const normalizeEmail = (given: string): string => given.trim().normalize('NFC').toLowerCase()

/** Takes a letter's worth of tries; throws `rate_limited`. */
export async function takeEmailAllowance({
  commerce: { throttle },
  realm,
  email,
  clientAddress,
}: MailboxRequest): Promise<void> {
  await throttle.take('lettersFrom', realm, clientAddress)
  await throttle.take('letters', realm, email)
}

/** For a letter that nobody was going to be sent after all. */
export async function returnEmailAllowance({
  commerce: { throttle },
  realm,
  email,
  clientAddress,
}: MailboxRequest): Promise<void> {
  await throttle.giveBack('lettersFrom', realm, clientAddress)
  await throttle.giveBack('letters', realm, email)
}

/** A token for a mailbox, good once. */
export async function createMailboxToken(
  db: Database,
  { commerce: { now }, realm, email }: MailboxRequest,
  purpose: EmailTokenPurpose,
  payload: object,
): Promise<string> {
  const token = randomBase62(43)
  const at = now()
  const times = { at: new Date(at), expiresAt: new Date(at + LASTS_MS[purpose]) }
  await addEmailToken(db, token, { ...realm, purpose, email, payload: JSON.stringify(payload) }, times)
  return token
}
