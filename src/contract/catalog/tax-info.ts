import Type from 'typebox'
import { DecimalString } from '../money.ts'

export const TaxInfo = Type.Object(
  { code: Type.String(), name: Type.String(), rate: DecimalString },
  { $id: 'TaxInfo', description: 'The tax on a sale of this product, from the accounting system; rate is a fraction' },
)
