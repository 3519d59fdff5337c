import { Decimal } from 'decimal.js'
import { moneyOf } from '../../contract/common-schemas.ts'
import { CreditStatus } from '../../contract/credit.ts'
import type { Credit } from '../../ports/accounting.ts'
import { fanOut, one, required } from '../../sections/section.ts'
import { missing } from './me.ts'
import { route } from '../../http/route.ts'

export const creditStatus = route({
  method: 'GET',
  path: '/v1/me/credit-status',
  operationId: 'getCreditStatus',
  summary: 'What the customer owes, and may still owe',
  tag: 'Customer',
  scope: 'storefront:customer',
  needsShopper: true,
  input: {},
  response: CreditStatus,
  problems: ['not_found'],
  caching: 'none',
  sections: { required: ['credit'], optional: [] },
  async answer({ office, customerId, merchant, asking }) {
    const { values, errors, traces } = await fanOut(asking, {
      credit: required(office.account.credit(customerId!, asking).then(one)),
    })
    if (!values.credit) throw missing('credit', errors.length > 0)
    return { body: { ...creditOf(values.credit, merchant.currency), errors }, errors, traces }
  },
})

function creditOf(credit: Credit, currency: string) {
  const { customer_id, enabled, on_hold, terms, aging, as_of } = credit
  const { available_credit } = credit
  const money = (amount: string) => moneyOf(amount, currency)
  const figure = (amount: string | null) => (amount === null ? null : money(amount))
  return {
    ...{ customer_id, enabled, currency },
    credit_limit: figure(credit.credit_limit),
    balance: figure(credit.balance),
    open_orders: figure(credit.open_orders),
    available_credit: figure(available_credit),
    overdue_balance: figure(credit.overdue_balance),
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
