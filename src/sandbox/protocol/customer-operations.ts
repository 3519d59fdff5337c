import { type Static, Type } from 'typebox'
import type { Operation } from './operation.ts'
import { decimalSchema, enumSchema, idSchema, nullableSchema, textSchema, timestampSchema } from './schema-parts.ts'

export const Address = Type.Object({
  line1: textSchema(300),
  line2: nullableSchema(textSchema(300)),
  city: textSchema(120),
  region: nullableSchema(textSchema(120)),
  postal_code: nullableSchema(textSchema(32)),
  country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' }),
})

const Customer = Type.Object({
  customer_id: Type.String(),
  account_number: nullableSchema(Type.String()),
  email: Type.String(),
  first_name: nullableSchema(Type.String()),
  last_name: nullableSchema(Type.String()),
  company: nullableSchema(Type.String()),
  phone: nullableSchema(Type.String()),
  customer_type: enumSchema('BUSINESS', 'INDIVIDUAL'),
  status: enumSchema('ACTIVE', 'ON_HOLD'),
  tax_exempt: Type.Boolean(),
  payment_methods: Type.Array(enumSchema('CREDIT_TERMS', 'CASH_ON_DELIVERY')),
  addresses: Type.Array(Type.Object({ address_id: Type.String(), is_default: Type.Boolean(), ...Address.properties })),
  created_at: nullableSchema(timestampSchema()),
})
export type CustomerAnswer = Static<typeof Customer>

const CustomerDraft = Type.Object({
  reference: Type.String({ minLength: 1, maxLength: 128, description: 'Identifies this creation permanently.' }),
  email: Type.String({ minLength: 3, maxLength: 320 }),
  first_name: textSchema(120),
  last_name: textSchema(120),
  company: nullableSchema(textSchema(200)),
  phone: nullableSchema(textSchema(64)),
})

const Credit = Type.Object({
  customer_id: Type.String(),
  enabled: Type.Boolean({ description: 'False: the customer has no credit account, and every other figure is null.' }),
  currency: Type.String(),
  credit_limit: nullableSchema(decimalSchema()),
  balance: nullableSchema(decimalSchema()),
  open_orders: nullableSchema(decimalSchema()),
  available_credit: nullableSchema(
    Type.String({
      pattern: '^-?\\d+(\\.\\d+)?$',
      description:
        'The most that another order on credit terms may cost: limit less balance less open orders; may be negative.',
    }),
  ),
  overdue_balance: nullableSchema(decimalSchema()),
  on_hold: Type.Boolean(),
  terms: nullableSchema(Type.Object({ code: Type.String(), days: Type.Integer(), description: Type.String() })),
  aging: nullableSchema(
    Type.Object({
      current: decimalSchema(),
      days_1_30: decimalSchema(),
      days_31_60: decimalSchema(),
      days_61_90: decimalSchema(),
      days_over_90: decimalSchema(),
    }),
  ),
  as_of: timestampSchema(),
})
export type CreditAnswer = Static<typeof Credit>

const customerId = Type.Object({ customer_id: idSchema() })

export const customerOperations = {
  readCustomer: {
    method: 'GET',
    path: '/customers/{customer_id}',
    summary: 'One customer.',
    params: customerId,
    response: Customer,
  },
  findCustomer: {
    method: 'POST',
    path: '/customers/lookup',
    summary: 'The customer with this email address, compared case-insensitively. 404: there is none.',
    body: Type.Object({ email: Type.String({ minLength: 3, maxLength: 320 }) }),
    response: Customer,
  },
  createCustomer: {
    method: 'POST',
    path: '/customers',
    summary:
      'Creates a customer, or returns the one created with this reference before: repeating the call creates only one. 409: another customer has this email address.',
    body: CustomerDraft,
    response: Customer,
  },
  readCredit: {
    method: 'GET',
    path: '/customers/{customer_id}/credit',
    summary: 'The credit of a customer.',
    params: customerId,
    response: Credit,
  },
} as const satisfies Record<string, Operation>
