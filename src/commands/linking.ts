import { UpstreamError } from '../errors.ts'
import type { Customer, CustomerDraft } from '../ports/customer.ts'
import type { Place } from './commerce.ts'

type Ledger = Pick<Place, 'office' | 'asking'>

export function findCustomer({ office, asking }: Ledger, email: string): Promise<Customer | null> {
  return office.account.findCustomerNow(email, { asking, priority: 'cart' })
}

/** The ledger's new customer; `null` when another one has the mailbox by now. */
export async function createCustomer({ office, asking }: Ledger, draft: CustomerDraft): Promise<Customer | null> {
  try {
    return await office.account.createCustomer(draft, { asking, priority: 'cart', write: true })
  } catch (error) {
    if (error instanceof UpstreamError && error.failure === 'rejected') return null
    throw error
  }
}

/** The customer of a mailbox that was proven: the one that the ledger has, else a new one. Asking twice makes one. */
export async function linkedCustomer(ledger: Ledger, draft: CustomerDraft): Promise<Customer> {
  const known = (await findCustomer(ledger, draft.email)) ?? (await createCustomer(ledger, draft))
  if (known) return known
  const others = await findCustomer(ledger, draft.email)
  if (others) return others
  throw new UpstreamError('error', 'the ledger refused a new customer, and has none with that mailbox')
}
