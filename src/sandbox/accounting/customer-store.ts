import type { FixtureCustomer } from '../../../fixtures/customers.ts'
import { HttpError } from '../http/http-error.ts'
import type { CustomerAnswer } from '../protocol/customer-operations.ts'
import type { OperationHandlers } from '../protocol/operation-handlers.ts'
import type { DocumentStore } from '../storage/document-store.ts'

export type StoredCustomer = Omit<FixtureCustomer, 'openedDaysAgo' | 'account_number'> & {
  account_number: string | null
  currency: string
  created_at: string
  /** What it was created with; those of the seed have none. */
  reference?: string
}

export interface CustomerStore {
  /** A Refusal when there is no such customer. */
  require(customerId: string): StoredCustomer
  change(customer: StoredCustomer): void
  handlers: Pick<OperationHandlers<'accounting'>, 'readCustomer' | 'findCustomer' | 'createCustomer'>
}

/** The customers of one account. Those that register in a shop pay cash, and are numbered W-…: the pricing system knows them by that. */
export function openCustomerStore(store: DocumentStore, now: () => Date, currency: string): CustomerStore {
  const customers = store.all<StoredCustomer>('customers')
  const byMailbox = new Map<string, string>()
  const byReference = new Map<string, string>()
  let registered = 0
  for (const customer of customers.values()) index(customer)

  function index(customer: StoredCustomer): void {
    byMailbox.set(mailbox(customer.email), customer.customer_id)
    if (customer.reference === undefined) return
    byReference.set(customer.reference, customer.customer_id)
    registered += 1
  }

  function known(customerId: string): StoredCustomer {
    const customer = customers.get(customerId)
    if (!customer) throw new HttpError(404, 'not_found', 'there is no such customer')
    return customer
  }

  return {
    require: known,
    change(customer) {
      store.put('customers', customer.customer_id, customer)
      customers.set(customer.customer_id, customer)
    },
    handlers: {
      readCustomer: ({ params: { customer_id } }) => published(known(customer_id)),
      findCustomer: ({ body: { email } }) => published(known(byMailbox.get(mailbox(email)) ?? '')),
      createCustomer({ body: { reference, email, first_name, last_name, company, phone } }) {
        const made = byReference.get(reference)
        if (made !== undefined) return published(known(made))
        if (byMailbox.has(mailbox(email)))
          throw new HttpError(409, 'mailbox_taken', 'another customer has this mailbox')
        const customer: StoredCustomer = {
          ...{ customer_id: `W-${100_001 + registered}`, account_number: null, reference, currency },
          ...{ email, first_name, last_name, company, phone },
          ...{ customer_type: company === null ? 'INDIVIDUAL' : 'BUSINESS', on_hold: false, tax_exempt: false },
          ...{ price_list_id: null, payment_methods: ['CASH_ON_DELIVERY'], addresses: [], credit: null, ledger: null },
          created_at: now().toISOString(),
        }
        store.put('customers', customer.customer_id, customer)
        customers.set(customer.customer_id, customer)
        index(customer)
        return published(customer)
      },
    },
  }
}

const mailbox = (email: string) => email.trim().toLowerCase()

function published(customer: StoredCustomer): CustomerAnswer {
  const { customer_id, account_number, email, first_name, last_name, company, phone, customer_type } = customer
  return {
    ...{ customer_id, account_number, email, first_name, last_name, company, phone, customer_type },
    status: customer.on_hold ? 'ON_HOLD' : 'ACTIVE',
    tax_exempt: customer.tax_exempt,
    payment_methods: customer.payment_methods as CustomerAnswer['payment_methods'],
    addresses: customer.addresses,
    created_at: customer.created_at,
  }
}
