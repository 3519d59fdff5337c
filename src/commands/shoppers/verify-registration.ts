import { randomBase62 } from '../../storage/keys/api-key-format.ts'
import { findMailboxToken, useMailboxToken } from '../../storage/shoppers/email-tokens.ts'
import { revokeAllOf } from '../../storage/shoppers/refresh-tokens.ts'
import { addShopper, findShopperByEmail, type Shopper, setPassword } from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import type { Place } from '../command-context.ts'
import { linkedCustomer } from './find-or-create-customer.ts'
import type { Pending } from './register-shopper.ts'
import { type OpenSession, openSession } from './shopper-session.ts'

export interface Proof {
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
export async function verify(
  place: Place,
  { token, password }: Proof,
  clientAddress: string | null,
): Promise<OpenSession | null> {
  const { commerce, tenantId, mode } = place
  const { db, passwords, throttle, now } = commerce
  const realm = { tenant_id: tenantId, mode }
  await throttle.take('tokensFrom', realm, clientAddress)
  const found = await findMailboxToken(db, realm, 'verify', token, new Date(now()))
  if (!found) return null
  const { password_hash: waiting, ...draft } = JSON.parse(found.payload) as Pending
  const { email } = found
  const there = await findShopperByEmail(db, realm, email)
  const { customer_id, had } = there
    ? { customer_id: there.customer_id, had: false }
    : await linkedCustomer(place, { ...draft, email })
  const said = password ?? (had ? randomBase62(NOBODY_KNOWS) : null)
  const password_hash = said === null ? waiting : await passwords.hash(said)
  const shopper: Shopper = { ...realm, shopper_id: draft.reference, email, password_hash, customer_id }
  const session = await transact(db, async (transaction) => {
    const at = new Date(now())
    if (!(await useMailboxToken(transaction, token, at))) return null
    const account = await addShopper(transaction, shopper, at, at)
    if (!account.added && password !== undefined) {
      await setPassword(transaction, account.shopper.shopper_id, password_hash, at)
      await revokeAllOf(transaction, account.shopper.shopper_id, at)
    }
    return openSession(transaction, account.shopper, now())
  })
  if (session) await throttle.giveBack('tokensFrom', realm, clientAddress)
  return session
}
