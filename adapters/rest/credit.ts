import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { AccountingPort, Credit } from '../../src/ports/accounting.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import type { ProtocolClient } from './protocol-client.ts'
import { nullish, SignedDecimalString, toUtcTimestamp, truncateText } from './protocol-values.ts'

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
  formatAmount: (value: string) => string,
  currency: string,
): Required<Pick<AccountingPort, 'credit'>> {
  return {
    async credit(customerId, call) {
      const path = `/customers/${encodeURIComponent(customerId)}/credit`
      const row = await jsonOrNull(CreditShape, { method: 'GET', path }, call)
      if ((row?.customer_id ?? customerId) !== customerId)
        throw new UpstreamError('invalid', 'the response holds the credit of another customer')
      if ((row?.currency ?? currency) !== currency)
        throw new UpstreamError('invalid', `the response holds a credit that is not in ${currency}`)
      return row && toCredit(customerId, row, formatAmount)
    },
  }
}

function toCredit(customer_id: string, row: Static<typeof CreditRow>, formatAmount: (value: string) => string): Credit {
  const { enabled, on_hold, terms, aging } = row
  // Figures without a credit account are meaningless, whatever the system sends.
  const formatFigure = (value: string | null | undefined) => (enabled && value ? formatAmount(value) : null)
  return {
    customer_id,
    enabled,
    on_hold,
    credit_limit: formatFigure(row.credit_limit),
    balance: formatFigure(row.balance),
    open_orders: formatFigure(row.open_orders),
    available_credit: formatFigure(row.available_credit),
    overdue_balance: formatFigure(row.overdue_balance),
    terms: terms
      ? { code: terms.code.slice(0, 64), days: terms.days, description: truncateText(terms.description, 200) ?? '' }
      : null,
    aging:
      enabled && aging
        ? {
            current: formatAmount(aging.current),
            days_1_30: formatAmount(aging.days_1_30),
            days_31_60: formatAmount(aging.days_31_60),
            days_61_90: formatAmount(aging.days_61_90),
            days_over_90: formatAmount(aging.days_over_90),
          }
        : null,
    as_of: toUtcTimestamp(row.as_of),
  }
}
