import Type from 'typebox'
import { Money } from '../money.ts'
import { Nullable, Timestamp } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'

const NullableMoney = Nullable(Money)

export const CreditStatus = Type.Object(
  {
    customer_id: Type.String(),
    enabled: Type.Boolean({ description: 'false: there is no credit account, and all amounts are null' }),
    currency: Type.String(),
    credit_limit: NullableMoney,
    balance: NullableMoney,
    open_orders: NullableMoney,
    available_credit: NullableMoney,
    overdue_balance: NullableMoney,
    over_limit: Type.Boolean({ description: 'available_credit is below zero' }),
    on_hold: Type.Boolean(),
    terms: Nullable(
      Type.Object({ code: Type.String(), days: Type.Integer(), description: Type.String() }, { $id: 'CreditTerms' }),
    ),
    aging: Nullable(
      Type.Object(
        {
          current: Money,
          days_1_30: Money,
          days_31_60: Money,
          days_61_90: Money,
          days_over_90: Money,
        },
        { $id: 'CreditAging' },
      ),
    ),
    as_of: Timestamp,
    errors: SectionErrors,
  },
  { $id: 'CreditStatus', description: 'A customer’s credit in the accounting system' },
)
