import { Type } from 'typebox'
import { priceChanges } from './change-feed-operations.ts'
import { amount, decimal, id, moment, nullable, type Operation, oneOf, skuList } from './schema-types.ts'

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

const QuotedLine = Type.Object({
  line_id: Type.String(),
  sku: Type.String(),
  unit_price: Type.String({
    pattern: '^\\d+(\\.\\d+)?$',
    description: 'Of one base unit, for this customer at this quantity, before promotions.',
  }),
  list_unit_price: amount(),
  price_type: oneOf('LIST', 'CONTRACT'),
  tax_included: Type.Boolean(),
  discount: Type.String({ pattern: '^\\d+(\\.\\d+)?$', description: 'What promotions take off the whole line.' }),
})

const QuotedPromotion = Type.Object({
  code: Type.String({ description: "In the system's own spelling." }),
  status: oneOf('APPLIED', 'NOT_APPLICABLE'),
  reason: nullable(
    oneOf(
      'UNKNOWN_CODE',
      'EXPIRED',
      'NOT_STARTED',
      'LIMIT_REACHED',
      'CUSTOMER_NOT_ELIGIBLE',
      'MINIMUM_NOT_MET',
      'NO_ELIGIBLE_LINES',
      'NOT_COMBINABLE',
    ),
  ),
  description: nullable(Type.String()),
  discount: amount(),
})

export const pricingOperations = {
  quotePrices: {
    method: 'POST',
    path: '/prices',
    summary: 'The price of one base unit of each SKU; SKUs without one are left out. 404: there is no such customer.',
    body: Type.Object({ skus: skuList(), customer_id: nullable(Type.String({ minLength: 1 })) }),
    answer: Type.Object({ data: Type.Array(Price) }),
  },
  quoteCart: {
    method: 'POST',
    path: '/quotes',
    summary:
      'What a cart costs a customer now. Quantity breaks go by the sum of a SKU over its lines; lines without a price are left out; promotions are answered one for each code, in their order. 404: there is no such customer.',
    body: Type.Object({
      customer_id: id(),
      lines: Type.Array(Type.Object({ line_id: id(), sku: id(), quantity: amount() }), { maxItems: 500 }),
      codes: Type.Array(Type.String({ maxLength: 128 }), { maxItems: 50 }),
    }),
    answer: Type.Object({
      lines: Type.Array(QuotedLine),
      promotions: Type.Array(QuotedPromotion),
      as_of: moment(),
    }),
  },
  listPriceChanges: priceChanges,
} as const satisfies Record<string, Operation>
