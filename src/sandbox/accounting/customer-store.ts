import type { FixtureCustomer } from '../../../fixtures/customers.ts'
import { HttpError } from '../http/http-error.ts'
import type { CustomerAnswer } from '../protocol/customer-operations.ts'
import type { OperationHandlers } from '../protocol/operation-handlers.ts'
import type { DocumentStore } from '../storage/document-store.ts'

export type StoredCustomer = Omit<FixtureCustomer, 'openedDaysAgo' | 'account_number'> & {
  account_number: string | null
  currency: string
  created_at: string
  /** Set by the caller that created the customer; absent for seeded customers. */
  reference?: string
}

export interface CustomerStore {
  /** Throws HttpError(404) when the customer does not exist. */
  require(customerId: string): StoredCustomer
  change(customer: StoredCustomer): void
  handlers: Pick<OperationHandlers<'accounting'>, 'readCustomer' | 'findCustomer' | 'createCustomer'>
}

/** The customers of one account. Those created by the API pay cash. Their ids start with W-: the pricing system recognizes them by that. */
export function openCustomerStore(store: DocumentStore, now: () => Date, currency: string): CustomerStore {
  const customers = store.all<StoredCustomer>('customers')
  const byEmail = new Map<string, string>()
  const byReference = new Map<string, string>()
  let createdCount = 0
  for (const customer of customers.values()) index(customer)

  function index(customer: StoredCustomer): void {
    byEmail.set(normalizeEmail(customer.email), customer.customer_id)
    if (customer.reference === undefined) return
    byReference.set(customer.reference, customer.customer_id)
    createdCount += 1
  }

  function requireCustomer(customerId: string): StoredCustomer {
    const customer = customers.get(customerId)
    if (!customer) throw new HttpError(404, 'not_found', 'the customer does not exist')
    return customer
  }

  return {
    require: requireCustomer,
    change(customer) {
      store.put('customers', customer.customer_id, customer)
      customers.set(customer.customer_id, customer)
    },
    handlers: {
      readCustomer: ({ params: { customer_id } }) => toResponse(requireCustomer(customer_id)),
      findCustomer: ({ body: { email } }) => toResponse(requireCustomer(byEmail.get(normalizeEmail(email)) ?? '')),
      createCustomer({ body: { reference, email, first_name, last_name, company, phone } }) {
        const existingId = byReference.get(reference)
        if (existingId !== undefined) return toResponse(requireCustomer(existingId))
        if (byEmail.has(normalizeEmail(email)))
          throw new HttpError(409, 'mailbox_taken', 'another customer has this email address')
        const customer: StoredCustomer = {
          customer_id: `W-${100_001 + createdCount}`,
          account_number: null,
          reference,
          currency,
          email,
          first_name,
          last_name,
          company,
          phone,
          customer_type: company === null ? 'INDIVIDUAL' : 'BUSINESS',
          on_hold: false,
          tax_exempt: false,
          price_list_id: null,
          payment_methods: ['CASH_ON_DELIVERY'],
          addresses: [],
          credit: null,
          ledger: null,
          created_at: now().toISOString(),
        }
        store.put('customers', customer.customer_id, customer)
        customers.set(customer.customer_id, customer)
        index(customer)
        return toResponse(customer)
      },
    },
  }
}

const normalizeEmail = (email: string) => email.trim().toLowerCase()

function toResponse(customer: StoredCustomer): CustomerAnswer {
  const { customer_id, account_number, email, first_name, last_name, company, phone, customer_type } = customer
  return {
    customer_id,
    account_number,
    email,
    first_name,
    last_name,
    company,
    phone,
    customer_type,
    status: customer.on_hold ? 'ON_HOLD' : 'ACTIVE',
    tax_exempt: customer.tax_exempt,
    payment_methods: customer.payment_methods as CustomerAnswer['payment_methods'],
    addresses: customer.addresses,
    created_at: customer.created_at,
  }
}
