import { findMailboxToken, useMailboxToken } from '../storage/mailbox-tokens.ts'
import { addShopper, findShopperByEmail, type Shopper } from '../storage/shoppers.ts'
import { transact } from '../storage/transact.ts'
import type { Place } from './commerce.ts'
import { linkedCustomer } from './linking.ts'
import type { Pending } from './register.ts'
import { type OpenSession, openSession } from './session.ts'

/**
 * Makes the account that waited for the proof of its mailbox, linked to the customer that the ledger has for it, else to a new one, and signs
 * in. An account that is there by now keeps its password. `null`: the token is unknown, used or expired.
 */
export async function verify(place: Place, token: string, clientAddress: string): Promise<OpenSession | null> {
  const { commerce, tenantId, mode } = place
  const { db, throttle, now } = commerce
  const realm = { tenant_id: tenantId, mode }
  await throttle.take('tokensFrom', realm, clientAddress)
  const found = await findMailboxToken(db, realm, 'verify', token, new Date(now()))
  if (!found) return null
  const { password_hash, ...draft } = JSON.parse(found.payload) as Pending
  const { email } = found
  const there = await findShopperByEmail(db, realm, email)
  const customer_id = there ? there.customer_id : (await linkedCustomer(place, { ...draft, email })).customer_id
  const shopper: Shopper = { ...realm, shopper_id: draft.reference, email, password_hash, customer_id }
  const session = await transact(db, async (transaction) => {
    const at = new Date(now())
    if (!(await useMailboxToken(transaction, token, at))) return null
    return openSession(transaction, (await addShopper(transaction, shopper, at, at)).shopper, now())
  })
  if (session) await throttle.giveBack('tokensFrom', realm, clientAddress)
  return session
}
