import type { Customer, CustomerDraft } from '../../ports/customer.ts'
import { addShopper, findShopperByEmail, generateShopperId } from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import type { CommandContext } from '../command-context.ts'
import { createExistingAccountEmail, createVerificationEmail } from '../email-templates.ts'
import { createLinkedCustomer, findCustomerByEmail } from './find-or-create-customer.ts'
import { createMailboxToken, type MailboxRequest, returnEmailAllowance, takeEmailAllowance } from './mailbox-request.ts'
import { type OpenShopperSession, openShopperSession } from './shopper-session.ts'

/** What a shopper says of themself. */
export type RegistrationInput = Omit<CustomerDraft, 'reference'> & { password: string }

/** What waits in a letter's token until the mailbox is proven. */
export type PendingRegistration = Omit<CustomerDraft, 'email'> & { password_hash: string }

export interface RegistrationResult {
  session: OpenShopperSession
  customer: Customer
}

/**
 * Registers a shopper at once, or sends a letter: `null`. A merchant whose registration is `verified` never asks the ledger here and always
 * sends one, so that neither answer nor time tells whether the address is known. An `immediate` one signs in whoever is new to shop and ledger.
 */
export async function registerShopperAccount(
  place: CommandContext,
  { password, ...application }: RegistrationInput,
  clientAddress: string | null,
): Promise<RegistrationResult | null> {
  const { commerce, merchant } = place
  const realm = { tenant_id: place.tenantId, mode: place.mode }
  const ask: MailboxRequest = { commerce, realm, merchant, email: application.email, clientAddress }
  await takeEmailAllowance(ask)
  try {
    const { email: _, ...said } = application
    const pending = { ...said, reference: generateShopperId(), password_hash: await commerce.passwords.hash(password) }
    const registered = isImmediate(place) ? await registerNow(place, ask, pending) : null
    if (!registered) await sendProof(ask, pending)
    return registered
  } catch (error) {
    await returnEmailAllowance(ask)
    throw error
  }
}

/** What a merchant did not choose: real people are not given away, and the sandbox's made-up ones need no mailbox. */
const isImmediate = ({ merchant, mode }: CommandContext) =>
  (merchant.registration ?? (mode === 'live' ? 'verified' : 'immediate')) === 'immediate'

async function registerNow(
  place: CommandContext,
  { commerce: { db, now }, realm, email }: MailboxRequest,
  { password_hash, ...draft }: PendingRegistration,
): Promise<RegistrationResult | null> {
  if (await findShopperByEmail(db, realm, email)) return null
  if (await findCustomerByEmail(place, email)) return null
  const customer = await createLinkedCustomer(place, { ...draft, email })
  if (!customer) return null
  const { customer_id } = customer
  const shopper = { ...realm, shopper_id: draft.reference, email, password_hash, customer_id }
  const session = await transact(db, async (transaction) => {
    const { added } = await addShopper(transaction, shopper, new Date(now()), null)
    return added ? openShopperSession(transaction, shopper, now()) : null
  })
  return session && { session, customer }
}

/** The same work for every address: which letter it is, the mailbox alone is told. */
async function sendProof(ask: MailboxRequest, pending: PendingRegistration): Promise<void> {
  const { commerce, realm, merchant, email } = ask
  const known = await findShopperByEmail(commerce.db, realm, email)
  const token = await createMailboxToken(commerce.db, ask, known ? 'reset' : 'verify', pending)
  commerce.mail.post(
    known ? createExistingAccountEmail(merchant, email, token) : createVerificationEmail(merchant, email, token),
  )
}
