import type { Customer, CustomerDraft } from '../../ports/customer.ts'
import { addShopper, findShopperByEmail, makeShopperId } from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import type { Place } from '../command-context.ts'
import { knownLetter, verifyLetter } from '../email-templates.ts'
import { createCustomer, findCustomer } from './find-or-create-customer.ts'
import { type MailboxAsk, makeMailboxToken, returnLetter, takeLetter } from './mailbox-request.ts'
import { type OpenSession, openSession } from './shopper-session.ts'

/** What a shopper says of themself. */
export type Application = Omit<CustomerDraft, 'reference'> & { password: string }

/** What waits in a letter's token until the mailbox is proven. */
export type Pending = Omit<CustomerDraft, 'email'> & { password_hash: string }

export interface Registered {
  session: OpenSession
  customer: Customer
}

/**
 * Registers a shopper at once, or sends a letter: `null`. A merchant whose registration is `verified` never asks the ledger here and always
 * sends one, so that neither answer nor time tells whether the address is known. An `immediate` one signs in whoever is new to shop and ledger.
 */
export async function register(
  place: Place,
  { password, ...application }: Application,
  clientAddress: string | null,
): Promise<Registered | null> {
  const { commerce, merchant } = place
  const realm = { tenant_id: place.tenantId, mode: place.mode }
  const ask: MailboxAsk = { commerce, realm, merchant, email: application.email, clientAddress }
  await takeLetter(ask)
  try {
    const { email: _, ...said } = application
    const pending = { ...said, reference: makeShopperId(), password_hash: await commerce.passwords.hash(password) }
    const registered = isImmediate(place) ? await registerNow(place, ask, pending) : null
    if (!registered) await sendProof(ask, pending)
    return registered
  } catch (error) {
    await returnLetter(ask)
    throw error
  }
}

/** What a merchant did not choose: real people are not given away, and the sandbox's made-up ones need no mailbox. */
const isImmediate = ({ merchant, mode }: Place) =>
  (merchant.registration ?? (mode === 'live' ? 'verified' : 'immediate')) === 'immediate'

async function registerNow(
  place: Place,
  { commerce: { db, now }, realm, email }: MailboxAsk,
  { password_hash, ...draft }: Pending,
): Promise<Registered | null> {
  if (await findShopperByEmail(db, realm, email)) return null
  if (await findCustomer(place, email)) return null
  const customer = await createCustomer(place, { ...draft, email })
  if (!customer) return null
  const { customer_id } = customer
  const shopper = { ...realm, shopper_id: draft.reference, email, password_hash, customer_id }
  const session = await transact(db, async (transaction) => {
    const { added } = await addShopper(transaction, shopper, new Date(now()), null)
    return added ? openSession(transaction, shopper, now()) : null
  })
  return session && { session, customer }
}

/** The same work for every address: which letter it is, the mailbox alone is told. */
async function sendProof(ask: MailboxAsk, pending: Pending): Promise<void> {
  const { commerce, realm, merchant, email } = ask
  const known = await findShopperByEmail(commerce.db, realm, email)
  const token = await makeMailboxToken(commerce.db, ask, known ? 'reset' : 'verify', pending)
  commerce.mail.post(known ? knownLetter(merchant, email, token) : verifyLetter(merchant, email, token))
}
