import { randomBase62 } from '../../storage/keys/api-key-format.ts'
import { consumeEmailToken, findEmailToken } from '../../storage/shoppers/email-tokens.ts'
import { revokeAllShopperTokens } from '../../storage/shoppers/refresh-tokens.ts'
import {
  addShopper,
  findShopperByEmail,
  type ShopperAccount,
  setShopperPassword,
} from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import type { CommandContext } from '../command-context.ts'
import { findOrCreateCustomer } from './find-or-create-customer.ts'
import type { PendingRegistration } from './register-shopper.ts'
import { type OpenShopperSession, openShopperSession } from './shopper-session.ts'

export interface VerificationInput {
  token: string
  /** Said by whoever reads the mailbox; the one that waits was said by whoever registered, perhaps a stranger. */
  password?: string | undefined
}

const NOBODY_KNOWS = 43

/**
 * Makes the account that waited for the proof of its mailbox, linked to the customer that the ledger has for it, else to a new one, and signs
 * in. A stranger's password must not open somebody's past: an account linked to a customer that the ledger had gets the one that comes with
 * the token, else none, until it is reset. An account that is there by now keeps its password unless one comes with the token. `null`: the
 * token is unknown, used or expired.
 */
export async function verifyRegistration(
  place: CommandContext,
  { token, password }: VerificationInput,
  clientAddress: string | null,
): Promise<OpenShopperSession | null> {
  const { commerce, tenantId, mode } = place
  const { db, passwords, throttle, now } = commerce
  const realm = { tenant_id: tenantId, mode }
  await throttle.take('tokensFrom', realm, clientAddress)
  const found = await findEmailToken(db, realm, 'verify', token, new Date(now()))
  if (!found) return null
  const { password_hash: waiting, ...draft } = JSON.parse(found.payload) as PendingRegistration
  const { email } = found
  const there = await findShopperByEmail(db, realm, email)
  const { customer_id, had } = there
    ? { customer_id: there.customer_id, had: false }
    : await findOrCreateCustomer(place, { ...draft, email })
  const said = password ?? (had ? randomBase62(NOBODY_KNOWS) : null)
  const password_hash = said === null ? waiting : await passwords.hash(said)
  const shopper: ShopperAccount = { ...realm, shopper_id: draft.reference, email, password_hash, customer_id }
  const session = await transact(db, async (transaction) => {
    const at = new Date(now())
    if (!(await consumeEmailToken(transaction, token, at))) return null
    const account = await addShopper(transaction, shopper, at, at)
    if (!account.added && password !== undefined) {
      await setShopperPassword(transaction, account.shopper.shopper_id, password_hash, at)
      await revokeAllShopperTokens(transaction, account.shopper.shopper_id, at)
    }
    return openShopperSession(transaction, account.shopper, now())
  })
  if (session) await throttle.giveBack('tokensFrom', realm, clientAddress)
  return session
}
