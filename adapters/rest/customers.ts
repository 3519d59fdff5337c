import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { AccountingPort } from '../../src/ports/accounting.ts'
import type { Customer } from '../../src/ports/customer.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { parseRows } from '../parse-rows.ts'
import { CustomerAddressRow, toCustomerAddress } from './address-mapping.ts'
import type { ProtocolClient } from './protocol-client.ts'
import { nullish, stringEnum, toUtcTimestampOrNull, truncateText, UnknownRows } from './protocol-values.ts'

const MAX_TEXT_LENGTH = 200

const CustomerRow = Type.Object({
  customer_id: Type.String({ minLength: 1, maxLength: 128 }),
  account_number: nullish(Type.String()),
  email: Type.String(),
  first_name: nullish(Type.String()),
  last_name: nullish(Type.String()),
  company: nullish(Type.String()),
  phone: nullish(Type.String()),
  customer_type: stringEnum('BUSINESS', 'INDIVIDUAL'),
  status: stringEnum('ACTIVE', 'ON_HOLD'),
  payment_methods: Type.Array(Type.String()),
  addresses: nullish(UnknownRows),
  created_at: nullish(Type.String()),
})
const CustomerShape = responseSchema(CustomerRow)
const AddressShape = responseSchema(CustomerAddressRow)

const PAYMENT_METHODS = ['CREDIT_TERMS', 'CASH_ON_DELIVERY'] as const

/** Reads customers by id and by email address, and creates them. */
export function connectCustomers({
  json,
  jsonOrNull,
}: ProtocolClient): Required<Pick<AccountingPort, 'customer' | 'findCustomer' | 'createCustomer'>> {
  return {
    async customer(customerId, call) {
      const path = `/customers/${encodeURIComponent(customerId)}`
      const row = await jsonOrNull(CustomerShape, { method: 'GET', path }, call)
      if (row && row.customer_id !== customerId)
        throw new UpstreamError('invalid', 'the response holds another customer')
      return row && toCustomer(row)
    },
    async findCustomer(email, call) {
      const row = await jsonOrNull(CustomerShape, { method: 'POST', path: '/customers/lookup', body: { email } }, call)
      return row && toCustomer(row)
    },
    async createCustomer(draft, call) {
      const { reference, email, first_name, last_name, company, phone } = draft
      const body = { reference, email, first_name, last_name, company, phone }
      return toCustomer(await json(CustomerShape, { method: 'POST', path: '/customers', body }, call))
    },
  }
}

function toCustomer(row: Static<typeof CustomerRow>): Customer {
  const { customer_id, customer_type, status } = row
  return {
    customer_id,
    account_number: truncateText(row.account_number, MAX_TEXT_LENGTH),
    email: row.email.slice(0, 320),
    first_name: truncateText(row.first_name, MAX_TEXT_LENGTH),
    last_name: truncateText(row.last_name, MAX_TEXT_LENGTH),
    company: truncateText(row.company, MAX_TEXT_LENGTH),
    phone: truncateText(row.phone, MAX_TEXT_LENGTH),
    customer_type,
    status,
    // Forecourt can only offer methods that it knows.
    payment_methods: PAYMENT_METHODS.filter((method) => row.payment_methods.includes(method)),
    addresses: parseRows(row.addresses ?? [], AddressShape, toCustomerAddress),
    created_at: toUtcTimestampOrNull(row.created_at),
  }
}
