import type { MerchantConfig } from '../../config/config.ts'
import type { Database } from '../../storage/database.ts'
import { randomBase62 } from '../../storage/keys/api-key-format.ts'
import { addMailboxToken, type Purpose } from '../../storage/shoppers/email-tokens.ts'
import type { Realm } from '../../storage/shoppers/shopper-accounts.ts'
import type { Commerce } from '../command-context.ts'

const HOUR_MS = 3_600_000
const LASTS_MS: Record<Purpose, number> = { verify: 24 * HOUR_MS, reset: HOUR_MS }

/** What is asked for with no more than an address: where, for whose mailbox, and by whom. */
export interface MailboxAsk {
  commerce: Commerce
  realm: Realm
  merchant: MerchantConfig
  email: string
  clientAddress: string | null
}

/** Addresses are one however they are written. */
export const emailOf = (given: string): string => given.trim().normalize('NFC').toLowerCase()

/** Takes a letter's worth of tries; throws `rate_limited`. */
export async function takeLetter({ commerce: { throttle }, realm, email, clientAddress }: MailboxAsk): Promise<void> {
  await throttle.take('lettersFrom', realm, clientAddress)
  await throttle.take('letters', realm, email)
}

/** For a letter that nobody was going to be sent after all. */
export async function returnLetter({ commerce: { throttle }, realm, email, clientAddress }: MailboxAsk): Promise<void> {
  await throttle.giveBack('lettersFrom', realm, clientAddress)
  await throttle.giveBack('letters', realm, email)
}

/** A token for a mailbox, good once. */
export async function makeMailboxToken(
  db: Database,
  { commerce: { now }, realm, email }: MailboxAsk,
  purpose: Purpose,
  payload: object,
): Promise<string> {
  const token = randomBase62(43)
  const at = now()
  const times = { at: new Date(at), expiresAt: new Date(at + LASTS_MS[purpose]) }
  await addMailboxToken(db, token, { ...realm, purpose, email, payload: JSON.stringify(payload) }, times)
  return token
}
