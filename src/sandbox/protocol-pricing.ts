import { Type } from 'typebox'
import { decimal, nullable, type Operation, skuList } from './protocol-parts.ts'

const Price = Type.Object({
  sku: Type.String(),
  amount: decimal(),
  price_type: Type.Union([Type.Literal('LIST'), Type.Literal('CONTRACT')], {
    description: 'CONTRACT: the customer has a price of their own for this SKU.',
  }),
  list_amount: decimal(),
  tax_included: Type.Boolean(),
  uom: Type.String(),
  breaks: Type.Array(Type.Object({ min_quantity: decimal(), amount: decimal() }), {
    description: 'Rising quantities in the base unit.',
  }),
  as_of: Type.String({ format: 'date-time' }),
})

export const pricingOperations = {
  quotePrices: {
    method: 'POST',
    path: '/prices',
    summary: 'The price of one base unit of each SKU; SKUs without one are left out. 404: there is no such customer.',
    body: Type.Object({ skus: skuList(), customer_id: nullable(Type.String({ minLength: 1 })) }),
    answer: Type.Object({ data: Type.Array(Price) }),
  },
} as const satisfies Record<string, Operation>
