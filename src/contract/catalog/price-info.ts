import Type from 'typebox'
import { DecimalString } from '../money.ts'
import { Timestamp } from '../schema-parts.ts'

export const PriceInfo = Type.Object(
  {
    amount: DecimalString,
    currency: Type.String(),
    price_type: Type.Enum(['LIST', 'CONTRACT'], { $id: 'PriceType' }),
    list_amount: DecimalString,
    tax_included: Type.Boolean(),
    uom: Type.String(),
    breaks: Type.Array(Type.Object({ min_quantity: DecimalString, amount: DecimalString }, { $id: 'PriceBreak' })),
    as_of: Timestamp,
  },
  { $id: 'PriceInfo' },
)
