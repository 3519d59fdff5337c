import { UpstreamError } from '../../errors.ts'
import type { Customer, CustomerDraft } from '../../ports/customer.ts'
import type { CommandContext } from '../command-context.ts'
import { normalizeEmail } from './mailbox-request.ts'

type Ledger = Pick<CommandContext, 'backOffice' | 'requestScope'>

/** Many a ledger compares loosely (without accents, by pattern): whose mailbox only looks the same to it is somebody else. */
const has = (customer: Customer, email: string) => normalizeEmail(customer.email) === normalizeEmail(email)

export async function findCustomerByEmail(
  { backOffice, requestScope }: Ledger,
  email: string,
): Promise<Customer | null> {
  const found = await backOffice.accounting.findCustomerNow(email, { requestScope, priority: 'cart' })
  return found && has(found, email) ? found : null
}

/** The ledger's new customer; `null` when another one has the mailbox by now. */
export async function createLinkedCustomer(
  { backOffice, requestScope }: Ledger,
  draft: CustomerDraft,
): Promise<Customer | null> {
  try {
    const made = await backOffice.accounting.createCustomer(draft, { requestScope, priority: 'cart', write: true })
    if (has(made, draft.email)) return made
  } catch (error) {
    if (error instanceof UpstreamError && error.failure === 'rejected') return null
    throw error
  }
  throw new UpstreamError('invalid', 'the new customer that was answered has another mailbox', { system: 'accounting' })
}

/** The customer of a mailbox that was proven: the one that the ledger `had`, else a new one. Asking twice makes one. */
export async function findOrCreateCustomer(
  ledger: Ledger,
  draft: CustomerDraft,
): Promise<Pick<Customer, 'customer_id'> & { had: boolean }> {
  const known = await findCustomerByEmail(ledger, draft.email)
  if (known) return { customer_id: known.customer_id, had: true }
  const made = await createLinkedCustomer(ledger, draft)
  if (made) return { customer_id: made.customer_id, had: false }
  const other = await findCustomerByEmail(ledger, draft.email)
  if (other) return { customer_id: other.customer_id, had: true }
  throw new UpstreamError('error', 'the ledger refused a new customer, and has none with that mailbox', {
    system: 'accounting',
  })
}
