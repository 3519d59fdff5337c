import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { AccountingPort, Credit } from '../../src/ports/accounting.ts'
import { shape } from '../../src/upstream/response-schema.ts'
import { clamp, maybe, moment, SignedDecimal, type Wire } from './protocol.ts'

const CreditRow = Type.Object({
  customer_id: maybe(Type.String()),
  currency: maybe(Type.String()),
  enabled: Type.Boolean(),
  on_hold: Type.Boolean(),
  credit_limit: maybe(SignedDecimal),
  balance: maybe(SignedDecimal),
  open_orders: maybe(SignedDecimal),
  available_credit: maybe(SignedDecimal),
  overdue_balance: maybe(SignedDecimal),
  terms: maybe(Type.Object({ code: Type.String(), days: Type.Integer(), description: Type.String() })),
  aging: maybe(
    Type.Object({
      current: SignedDecimal,
      days_1_30: SignedDecimal,
      days_31_60: SignedDecimal,
      days_61_90: SignedDecimal,
      days_over_90: SignedDecimal,
    }),
  ),
  as_of: Type.String(),
})
const CreditShape = shape(CreditRow)

export function credit(
  { jsonOrNull }: Wire,
  amount: (value: string) => string,
  currency: string,
): Required<Pick<AccountingPort, 'credit'>> {
  return {
    async credit(customerId, call) {
      const path = `/customers/${encodeURIComponent(customerId)}/credit`
      const row = await jsonOrNull(CreditShape, { method: 'GET', path }, call)
      if ((row?.customer_id ?? customerId) !== customerId)
        throw new UpstreamError('invalid', 'the credit that was answered is of another customer')
      if ((row?.currency ?? currency) !== currency)
        throw new UpstreamError('invalid', `the credit that was answered is not in ${currency}`)
      return row && creditOf(customerId, row, amount)
    },
  }
}

function creditOf(customer_id: string, row: Static<typeof CreditRow>, amount: (value: string) => string): Credit {
  const { enabled, on_hold, terms, aging } = row
  // Without an account a figure would mean nothing, whatever the system says.
  const figure = (value: string | null | undefined) => (enabled && value ? amount(value) : null)
  return {
    customer_id,
    enabled,
    on_hold,
    credit_limit: figure(row.credit_limit),
    balance: figure(row.balance),
    open_orders: figure(row.open_orders),
    available_credit: figure(row.available_credit),
    overdue_balance: figure(row.overdue_balance),
    terms: terms
      ? { code: terms.code.slice(0, 64), days: terms.days, description: clamp(terms.description, 200) ?? '' }
      : null,
    aging:
      enabled && aging
        ? {
            current: amount(aging.current),
            days_1_30: amount(aging.days_1_30),
            days_31_60: amount(aging.days_31_60),
            days_61_90: amount(aging.days_61_90),
            days_over_90: amount(aging.days_over_90),
          }
        : null,
    as_of: moment(row.as_of),
  }
}
