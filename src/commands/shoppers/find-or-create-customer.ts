import { UpstreamError } from '../../errors.ts'
import type { Customer, CustomerDraft } from '../../ports/customer.ts'
import type { CommandContext } from '../command-context.ts'
import { normalizeEmail } from './normalize-email.ts'

type AccountingContext = Pick<CommandContext, 'backOffice' | 'requestScope'>

/** Accounting systems may compare loosely (without accents, by pattern), so a match there can be another person's address. */
const hasEmail = (customer: Customer, email: string) => normalizeEmail(customer.email) === normalizeEmail(email)

export async function findCustomerByEmail(
  { backOffice, requestScope }: AccountingContext,
  email: string,
): Promise<Customer | null> {
  const found = await backOffice.accounting.findCustomerNow(email, { requestScope, priority: 'cart' })
  return found && hasEmail(found, email) ? found : null
}

/** Creates a customer in the accounting system. `null`: another customer has this email address now. */
export async function createLinkedCustomer(
  { backOffice, requestScope }: AccountingContext,
  draft: CustomerDraft,
): Promise<Customer | null> {
  try {
    const created = await backOffice.accounting.createCustomer(draft, { requestScope, priority: 'cart', write: true })
    if (hasEmail(created, draft.email)) return created
  } catch (error) {
    if (error instanceof UpstreamError && error.failure === 'rejected') return null
    throw error
  }
  throw new UpstreamError('invalid', 'the created customer has another email address', { system: 'accounting' })
}

/** Returns the customer of a confirmed email address, and creates one if the accounting system has none. */
export async function findOrCreateCustomer(context: AccountingContext, draft: CustomerDraft): Promise<Customer> {
  const customer =
    (await findCustomerByEmail(context, draft.email)) ??
    (await createLinkedCustomer(context, draft)) ??
    // Another request created it meanwhile.
    (await findCustomerByEmail(context, draft.email))
  if (customer) return customer
  throw new UpstreamError('error', 'accounting rejected a new customer, and has none with this email address', {
    system: 'accounting',
  })
}
