import Type from 'typebox'
import { DecimalString } from './money.ts'
import { Timestamp } from './schema-parts.ts'

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

export const TaxInfo = Type.Object(
  { code: Type.String(), name: Type.String(), rate: DecimalString },
  { $id: 'TaxInfo', description: 'The tax on a sale of this product, from the accounting system; rate is a fraction' },
)
