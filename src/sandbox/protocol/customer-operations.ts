import { type Static, Type } from 'typebox'
import { decimal, id, moment, nullable, type Operation, oneOf, text } from './schema-types.ts'

export const Address = Type.Object({
  line1: text(300),
  line2: nullable(text(300)),
  city: text(120),
  region: nullable(text(120)),
  postal_code: nullable(text(32)),
  country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' }),
})

const Customer = Type.Object({
  customer_id: Type.String(),
  account_number: nullable(Type.String()),
  email: Type.String(),
  first_name: nullable(Type.String()),
  last_name: nullable(Type.String()),
  company: nullable(Type.String()),
  phone: nullable(Type.String()),
  customer_type: oneOf('BUSINESS', 'INDIVIDUAL'),
  status: oneOf('ACTIVE', 'ON_HOLD'),
  tax_exempt: Type.Boolean(),
  payment_methods: Type.Array(oneOf('CREDIT_TERMS', 'CASH_ON_DELIVERY')),
  addresses: Type.Array(Type.Object({ address_id: Type.String(), is_default: Type.Boolean(), ...Address.properties })),
  created_at: nullable(moment()),
})
export type CustomerAnswer = Static<typeof Customer>

const CustomerDraft = Type.Object({
  reference: Type.String({ minLength: 1, maxLength: 128, description: 'Names this creation for ever.' }),
  email: Type.String({ minLength: 3, maxLength: 320 }),
  first_name: text(120),
  last_name: text(120),
  company: nullable(text(200)),
  phone: nullable(text(64)),
})

const Credit = Type.Object({
  customer_id: Type.String(),
  enabled: Type.Boolean({ description: 'False: no credit account; every other figure is null.' }),
  currency: Type.String(),
  credit_limit: nullable(decimal()),
  balance: nullable(decimal()),
  open_orders: nullable(decimal()),
  available_credit: nullable(
    Type.String({
      pattern: '^-?\\d+(\\.\\d+)?$',
      description: 'What an order on credit terms may still cost: limit less balance less open orders; may be below 0.',
    }),
  ),
  overdue_balance: nullable(decimal()),
  on_hold: Type.Boolean(),
  terms: nullable(Type.Object({ code: Type.String(), days: Type.Integer(), description: Type.String() })),
  aging: nullable(
    Type.Object({
      current: decimal(),
      days_1_30: decimal(),
      days_31_60: decimal(),
      days_61_90: decimal(),
      days_over_90: decimal(),
    }),
  ),
  as_of: moment(),
})
export type CreditAnswer = Static<typeof Credit>

const customerId = Type.Object({ customer_id: id() })

export const customerOperations = {
  readCustomer: {
    method: 'GET',
    path: '/customers/{customer_id}',
    summary: 'One customer.',
    params: customerId,
    answer: Customer,
  },
  findCustomer: {
    method: 'POST',
    path: '/customers/lookup',
    summary: 'The customer with this mailbox, compared without regard to case alone. 404: there is none.',
    body: Type.Object({ email: Type.String({ minLength: 3, maxLength: 320 }) }),
    answer: Customer,
  },
  createCustomer: {
    method: 'POST',
    path: '/customers',
    summary:
      'A new customer, or the one that this reference made before: asking twice makes one. 409: another customer has this mailbox.',
    body: CustomerDraft,
    answer: Customer,
  },
  readCredit: {
    method: 'GET',
    path: '/customers/{customer_id}/credit',
    summary: 'What a customer owes and may still owe.',
    params: customerId,
    answer: Credit,
  },
} as const satisfies Record<string, Operation>
