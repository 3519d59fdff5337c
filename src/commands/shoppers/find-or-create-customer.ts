import { UpstreamError } from '../../errors.ts'
import type { Customer, CustomerDraft } from '../../ports/customer.ts'
import type { Place } from '../command-context.ts'
import { emailOf } from './mailbox-request.ts'

type Ledger = Pick<Place, 'office' | 'asking'>

/** Many a ledger compares loosely (without accents, by pattern): whose mailbox only looks the same to it is somebody else. */
const has = (customer: Customer, email: string) => emailOf(customer.email) === emailOf(email)

export async function findCustomer({ office, asking }: Ledger, email: string): Promise<Customer | null> {
  const found = await office.account.findCustomerNow(email, { asking, priority: 'cart' })
  return found && has(found, email) ? found : null
}

/** The ledger's new customer; `null` when another one has the mailbox by now. */
export async function createCustomer({ office, asking }: Ledger, draft: CustomerDraft): Promise<Customer | null> {
  try {
    const made = await office.account.createCustomer(draft, { asking, priority: 'cart', write: true })
    if (has(made, draft.email)) return made
  } catch (error) {
    if (error instanceof UpstreamError && error.failure === 'rejected') return null
    throw error
  }
  throw new UpstreamError('invalid', 'the new customer that was answered has another mailbox', { system: 'accounting' })
}

/** The customer of a mailbox that was proven: the one that the ledger `had`, else a new one. Asking twice makes one. */
export async function linkedCustomer(
  ledger: Ledger,
  draft: CustomerDraft,
): Promise<Pick<Customer, 'customer_id'> & { had: boolean }> {
  const known = await findCustomer(ledger, draft.email)
  if (known) return { customer_id: known.customer_id, had: true }
  const made = await createCustomer(ledger, draft)
  if (made) return { customer_id: made.customer_id, had: false }
  const other = await findCustomer(ledger, draft.email)
  if (other) return { customer_id: other.customer_id, had: true }
  throw new UpstreamError('error', 'the ledger refused a new customer, and has none with that mailbox', {
    system: 'accounting',
  })
}
