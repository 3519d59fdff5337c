import Type from 'typebox'
import { Money, Nullable, SectionErrors, Timestamp } from './common-schemas.ts'

const Figure = Nullable(Money)

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
        current: Money,
        days_1_30: Money,
        days_31_60: Money,
        days_61_90: Money,
        days_over_90: Money,
      }),
    ),
    as_of: Timestamp,
    errors: SectionErrors,
  },
  { $id: 'CreditStatus', description: 'What the ledger says of a customer’s credit' },
)
