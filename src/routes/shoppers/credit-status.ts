import { Decimal } from 'decimal.js'
import { toMoney } from '../../contract/money.ts'
import { CreditStatus } from '../../contract/shoppers/credit-status.ts'
import { defineRoute } from '../../http/route.ts'
import type { Credit } from '../../ports/accounting.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { required, valueSection } from '../../sections/section.ts'
import { createSectionNotFoundError } from './create-section-not-found-error.ts'

export const getCreditStatusRoute = defineRoute({
  method: 'GET',
  path: '/v1/me/credit-status',
  operationId: 'getCreditStatus',
  summary: 'Get the balance and the available credit of the customer',
  tag: 'Customer',
  scope: 'storefront:customer',
  needsShopper: true,
  input: {},
  response: CreditStatus,
  problems: ['not_found'],
  caching: 'none',
  sections: { required: ['credit'], optional: [] },
  async handle({ backOffice, customerId, merchant, requestScope }) {
    const { values, errors, traces } = await fanOut(requestScope, {
      credit: required(backOffice.accounting.credit(customerId!, requestScope).then(valueSection)),
    })
    if (!values.credit) throw createSectionNotFoundError('credit', errors.length > 0)
    return { body: { ...toCreditStatus(values.credit, merchant.currency), errors }, errors, traces }
  },
})

function toCreditStatus(credit: Credit, currency: string) {
  const { customer_id, enabled, on_hold, terms, aging, as_of } = credit
  const { available_credit } = credit
  const money = (amount: string) => toMoney(amount, currency)
  const nullableMoney = (amount: string | null) => (amount === null ? null : money(amount))
  return {
    customer_id,
    enabled,
    currency,
    credit_limit: nullableMoney(credit.credit_limit),
    balance: nullableMoney(credit.balance),
    open_orders: nullableMoney(credit.open_orders),
    available_credit: nullableMoney(available_credit),
    overdue_balance: nullableMoney(credit.overdue_balance),
    over_limit: available_credit !== null && new Decimal(available_credit).lessThan(0),
    on_hold,
    terms: terms && { code: terms.code, days: terms.days, description: terms.description },
    aging: aging && {
      current: money(aging.current),
      days_1_30: money(aging.days_1_30),
      days_31_60: money(aging.days_31_60),
      days_61_90: money(aging.days_61_90),
      days_over_90: money(aging.days_over_90),
    },
    as_of,
  }
}
