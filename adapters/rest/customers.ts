import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { AccountingPort } from '../../src/ports/accounting.ts'
import type { Customer } from '../../src/ports/customer.ts'
import { shape } from '../../src/upstream/response-schema.ts'
import { readable } from '../parse-rows.ts'
import { CustomerAddressRow, customerAddressOf } from './addresses.ts'
import { clamp, maybe, momentOrNull, oneOf, Rows, type Wire } from './protocol.ts'

const TEXT = 200

const CustomerRow = Type.Object({
  customer_id: Type.String({ minLength: 1, maxLength: 128 }),
  account_number: maybe(Type.String()),
  email: Type.String(),
  first_name: maybe(Type.String()),
  last_name: maybe(Type.String()),
  company: maybe(Type.String()),
  phone: maybe(Type.String()),
  customer_type: oneOf('BUSINESS', 'INDIVIDUAL'),
  status: oneOf('ACTIVE', 'ON_HOLD'),
  payment_methods: Type.Array(Type.String()),
  addresses: maybe(Rows),
  created_at: maybe(Type.String()),
})
const CustomerShape = shape(CustomerRow)
const AddressShape = shape(CustomerAddressRow)

const METHODS = ['CREDIT_TERMS', 'CASH_ON_DELIVERY'] as const

/** Customers by id and by mailbox, and new ones. */
export function customers({
  json,
  jsonOrNull,
}: Wire): Required<Pick<AccountingPort, 'customer' | 'findCustomer' | 'createCustomer'>> {
  return {
    async customer(customerId, call) {
      const path = `/customers/${encodeURIComponent(customerId)}`
      const row = await jsonOrNull(CustomerShape, { method: 'GET', path }, call)
      if (row && row.customer_id !== customerId)
        throw new UpstreamError('invalid', 'the customer that was answered is another one')
      return row && customerOf(row)
    },
    async findCustomer(email, call) {
      const row = await jsonOrNull(CustomerShape, { method: 'POST', path: '/customers/lookup', body: { email } }, call)
      return row && customerOf(row)
    },
    async createCustomer(draft, call) {
      const { reference, email, first_name, last_name, company, phone } = draft
      const body = { reference, email, first_name, last_name, company, phone }
      return customerOf(await json(CustomerShape, { method: 'POST', path: '/customers', body }, call))
    },
  }
}

function customerOf(row: Static<typeof CustomerRow>): Customer {
  const { customer_id, customer_type, status } = row
  return {
    customer_id,
    account_number: clamp(row.account_number, TEXT),
    email: row.email.slice(0, 320),
    first_name: clamp(row.first_name, TEXT),
    last_name: clamp(row.last_name, TEXT),
    company: clamp(row.company, TEXT),
    phone: clamp(row.phone, TEXT),
    customer_type,
    status,
    // A method that Forecourt does not know is none that it can offer.
    payment_methods: METHODS.filter((method) => row.payment_methods.includes(method)),
    addresses: readable(row.addresses ?? [], AddressShape, customerAddressOf),
    created_at: momentOrNull(row.created_at),
  }
}
