import Type from 'typebox'
import { DecimalString, Nullable, SectionErrors, Timestamp } from './common.ts'

const Figure = Nullable(DecimalString)

export const CreditStatus = Type.Object(
  {
    customer_id: Type.String(),
    enabled: Type.Boolean({ description: 'false: there is no credit account, and no figures' }),
    currency: Type.String(),
    credit_limit: Figure,
    balance: Figure,
    open_orders: Figure,
    available_credit: Figure,
    overdue_balance: Figure,
    over_limit: Type.Boolean({ description: 'available_credit is below zero' }),
    on_hold: Type.Boolean(),
    terms: Nullable(Type.Object({ code: Type.String(), days: Type.Integer(), description: Type.String() })),
    aging: Nullable(
      Type.Object({
        current: DecimalString,
        days_1_30: DecimalString,
        days_31_60: DecimalString,
        days_61_90: DecimalString,
        days_over_90: DecimalString,
      }),
    ),
    as_of: Timestamp,
    errors: SectionErrors,
  },
  { $id: 'CreditStatus', description: 'What the ledger says of a customer’s credit, in the currency beside' },
)
