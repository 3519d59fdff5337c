import { Type } from 'typebox'
import { decimal, nullable, type Operation, skuList } from './protocol-parts.ts'

const Tax = Type.Object({
  sku: Type.String(),
  code: Type.String(),
  name: Type.String(),
  rate: Type.String({ pattern: '^\\d+(\\.\\d+)?$', description: 'A fraction: 15 % is "0.15".' }),
})

const Address = Type.Object({
  line1: Type.String(),
  city: Type.String(),
  region: Type.String(),
  country: Type.String({ description: 'ISO 3166-1 alpha-2.' }),
})

const Customer = Type.Object({
  customer_id: Type.String(),
  account_number: Type.String(),
  company: nullable(Type.String()),
  email: Type.String(),
  phone: nullable(Type.String()),
  customer_type: Type.Union([Type.Literal('BUSINESS'), Type.Literal('INDIVIDUAL')]),
  status: Type.Union([Type.Literal('ACTIVE'), Type.Literal('ON_HOLD')]),
  tax_exempt: Type.Boolean(),
  payment_methods: Type.Array(Type.Union([Type.Literal('CREDIT_TERMS'), Type.Literal('CASH_ON_DELIVERY')])),
  addresses: Type.Array(Address),
})

const Credit = Type.Object({
  customer_id: Type.String(),
  enabled: Type.Boolean({ description: 'False: no credit account; every other figure is null.' }),
  currency: Type.String(),
  credit_limit: nullable(decimal()),
  balance: nullable(decimal()),
  open_orders: nullable(decimal()),
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
  as_of: Type.String({ format: 'date-time' }),
})

const customerId = Type.Object({ customer_id: Type.String({ minLength: 1 }) })

export const accountingOperations = {
  quoteTaxes: {
    method: 'POST',
    path: '/taxes',
    summary: 'The tax on one sale of each SKU; unknown SKUs are left out. 404: there is no such customer.',
    body: Type.Object({ skus: skuList(), customer_id: nullable(Type.String({ minLength: 1 })) }),
    answer: Type.Object({ data: Type.Array(Tax) }),
  },
  readCustomer: {
    method: 'GET',
    path: '/customers/{customer_id}',
    summary: 'One customer.',
    params: customerId,
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
