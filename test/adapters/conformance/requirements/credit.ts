import { expect } from 'chai'
import { createCall } from '../../../support/create-call.ts'
import { expectDecimal, SIGNED_AMOUNT } from '../expect-decimal.ts'
import { requirementsOf } from '../requirement.ts'
import { STRANGERS } from './customers.ts'
import { UTC_TIMESTAMP } from './items.ts'

export const creditRequirements = requirementsOf(
  'accounting.credit',
  [
    'returns the debt and the available credit as decimal strings',
    ['customer'],
    async ({ accounting, facts: { customer } }) => {
      const credit = (await accounting.credit(customer.customerId, createCall()))!
      expect(credit).to.include({ customer_id: customer.customerId, enabled: true, on_hold: false })
      expect(credit.as_of).to.match(UTC_TIMESTAMP)
      const { credit_limit, balance, open_orders, available_credit, overdue_balance } = credit
      for (const figure of [credit_limit, balance, open_orders, available_credit, overdue_balance])
        expectDecimal(figure, SIGNED_AMOUNT)
      const left = Number(credit_limit) - Number(balance) - Number(open_orders)
      expect(Number(available_credit)).to.be.at.most(left + 0.001)
      for (const figure of Object.values(credit.aging ?? {})) expectDecimal(figure, SIGNED_AMOUNT)
    },
  ],
  [
    'returns no figures without a credit account',
    ['cashCustomerId'],
    async ({ accounting, facts: { cashCustomerId } }) => {
      const none = { credit_limit: null, balance: null, open_orders: null, available_credit: null, aging: null }
      const credit = await accounting.credit(cashCustomerId, createCall())
      expect(credit).to.deep.include({ enabled: false, terms: null, overdue_balance: null, ...none })
    },
  ],
  [
    'reports a customer on hold',
    ['onHoldCustomerId'],
    async ({ accounting, facts: { onHoldCustomerId } }) => {
      expect(await accounting.credit(onHoldCustomerId, createCall())).to.include({ on_hold: true })
    },
  ],
  [
    'returns null for an unknown customer',
    [],
    async ({ accounting, facts: { unknownCustomerId } }) => {
      for (const stranger of [unknownCustomerId, ...STRANGERS])
        expect(await accounting.credit(stranger, createCall()), stranger).to.equal(null)
    },
  ],
)
