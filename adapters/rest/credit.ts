import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { AccountingPort, Credit } from '../../src/ports/accounting.ts'
import { responseSchema } from '../../src/upstream/response-schema.ts'
import { nullish, type ProtocolClient, SignedDecimalString, toUtcTimestamp, truncateText } from './protocol.ts'

const CreditRow = Type.Object({
  customer_id: nullish(Type.String()),
  currency: nullish(Type.String()),
  enabled: Type.Boolean(),
  on_hold: Type.Boolean(),
  credit_limit: nullish(SignedDecimalString),
  balance: nullish(SignedDecimalString),
  open_orders: nullish(SignedDecimalString),
  available_credit: nullish(SignedDecimalString),
  overdue_balance: nullish(SignedDecimalString),
  terms: nullish(Type.Object({ code: Type.String(), days: Type.Integer(), description: Type.String() })),
  aging: nullish(
    Type.Object({
      current: SignedDecimalString,
      days_1_30: SignedDecimalString,
      days_31_60: SignedDecimalString,
      days_61_90: SignedDecimalString,
      days_over_90: SignedDecimalString,
    }),
  ),
  as_of: Type.String(),
})
const CreditShape = responseSchema(CreditRow)

export function connectCredit(
  { jsonOrNull }: ProtocolClient,
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
      ? { code: terms.code.slice(0, 64), days: terms.days, description: truncateText(terms.description, 200) ?? '' }
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
    as_of: toUtcTimestamp(row.as_of),
  }
}
