import type { Customer, CustomerDraft } from '../../ports/customer.ts'
import { addShopper, findShopperByEmail, generateShopperId } from '../../storage/shoppers/shopper-accounts.ts'
import { tenantColumns } from '../../storage/tenant-columns.ts'
import { transact } from '../../storage/transact.ts'
import { createUnknownClient, takeEmailAttempt } from '../account-attempt-limits.ts'
import type { CommandContext } from '../command-context.ts'
import { createEmailToken, type EmailTokenRequest } from './create-email-token.ts'
import { createExistingAccountEmail, createVerificationEmail } from './create-shopper-emails.ts'
import { createLinkedCustomer, findCustomerByEmail } from './find-or-create-customer.ts'
import { type OpenShopperSession, openShopperSession } from './open-shopper-session.ts'
import { toHashingGroup } from './to-hashing-group.ts'

/** The details that a shopper registers with. */
export type RegistrationInput = Omit<CustomerDraft, 'reference'> & { password: string }

/** The payload of a verification token: the account to create when the email address is confirmed. It has no password: a stranger may have chosen it. */
export type PendingRegistration = Omit<CustomerDraft, 'email'>

export interface RegistrationResult {
  session: OpenShopperSession
  customer: Customer
}

/**
 * Registers a shopper at once, or sends an email and returns `null`. With `verified` registration it always sends an email and never calls
 * the accounting system, so that neither the response nor its time reveals whether an account exists. With `immediate` registration it signs
 * in a shopper who is new to both the shop and the accounting system.
 */
export async function registerShopperAccount(
  context: CommandContext,
  { password, ...details }: RegistrationInput,
  clientAddress: string | null,
): Promise<RegistrationResult | null> {
  const { commerce, tenant, merchant } = context
  const { email } = details
  const request: EmailTokenRequest = { commerce, tenant, merchant, email, clientAddress, deviceToken: undefined }
  const attempted = { tenant, account: email, client: createUnknownClient(clientAddress) }
  const attempt = await takeEmailAttempt(commerce.throttle, 'registrations', attempted)
  await commerce.throttle.take('registrationsByAccount', tenant, email)
  const refundEmail = () => commerce.throttle.refund('registrationsByAccount', tenant, email)
  try {
    const { email: _, ...draft } = details
    const pending = { ...draft, reference: generateShopperId() }
    const registered = isImmediate(context) ? await registerNow(context, request, pending, password) : null
    await (registered ? refundEmail() : sendEmail(request, pending))
    return registered
  } catch (error) {
    await attempt.refund()
    await refundEmail()
    throw error
  }
}

/** Defaults to `verified` in live mode, which does not reveal whether a person has an account. Sandbox shoppers are invented and have no mailbox. */
const isImmediate = ({ merchant, tenant }: CommandContext) =>
  (merchant.registration ?? (tenant.mode === 'live' ? 'verified' : 'immediate')) === 'immediate'

async function registerNow(
  context: CommandContext,
  { commerce: { db, passwordHasher, now }, tenant, email, clientAddress }: EmailTokenRequest,
  draft: PendingRegistration,
  password: string,
): Promise<RegistrationResult | null> {
  if (await findShopperByEmail(db, tenant, email)) return null
  if (await findCustomerByEmail(context, email)) return null
  const password_hash = await passwordHasher.hash(password, toHashingGroup(tenant, 'anybody'))
  const customer = await createLinkedCustomer(context, { ...draft, email })
  if (!customer) return null
  const { customer_id } = customer
  const shopper = { ...tenantColumns(tenant), shopper_id: draft.reference, email, password_hash, customer_id }
  const session = await transact(db, async (transaction) => {
    const { added } = await addShopper(transaction, shopper, new Date(now()), null)
    return added ? openShopperSession(transaction, shopper, now(), clientAddress) : null
  })
  return session && { session, customer }
}

/** Does the same work for every address: only the mailbox's owner learns which email it is. */
async function sendEmail(request: EmailTokenRequest, pending: PendingRegistration): Promise<void> {
  const { commerce, tenant, merchant, email } = request
  const account = await findShopperByEmail(commerce.db, tenant, email)
  const token = await createEmailToken(commerce.db, request, account ? 'reset' : 'verify', pending)
  commerce.mailer.send(
    account ? createExistingAccountEmail(merchant, email, token) : createVerificationEmail(merchant, email, token),
  )
}
