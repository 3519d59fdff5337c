import { Type } from 'typebox'
import { priceChangesOperation } from './change-feed-operations.ts'
import {
  amountSchema,
  decimalSchema,
  enumSchema,
  idSchema,
  nullableSchema,
  type Operation,
  skuListSchema,
  timestampSchema,
} from './schema-types.ts'

const Price = Type.Object({
  sku: Type.String(),
  amount: decimalSchema(),
  price_type: Type.Union([Type.Literal('LIST'), Type.Literal('CONTRACT')], {
    description: 'CONTRACT: the customer has a price of their own for this SKU.',
  }),
  list_amount: decimalSchema(),
  tax_included: Type.Boolean(),
  uom: Type.String(),
  breaks: Type.Array(Type.Object({ min_quantity: decimalSchema(), amount: decimalSchema() }), {
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
  list_unit_price: amountSchema(),
  price_type: enumSchema('LIST', 'CONTRACT'),
  tax_included: Type.Boolean(),
  discount: Type.String({ pattern: '^\\d+(\\.\\d+)?$', description: 'What promotions take off the whole line.' }),
})

const QuotedPromotion = Type.Object({
  code: Type.String({ description: "In the system's own spelling." }),
  status: enumSchema('APPLIED', 'NOT_APPLICABLE'),
  reason: nullableSchema(
    enumSchema(
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
  description: nullableSchema(Type.String()),
  discount: amountSchema(),
})

export const pricingOperations = {
  quotePrices: {
    method: 'POST',
    path: '/prices',
    summary: 'The price of one base unit of each SKU; SKUs without one are left out. 404: there is no such customer.',
    body: Type.Object({ skus: skuListSchema(), customer_id: nullableSchema(Type.String({ minLength: 1 })) }),
    answer: Type.Object({ data: Type.Array(Price) }),
  },
  quoteCart: {
    method: 'POST',
    path: '/quotes',
    summary:
      'What a cart costs a customer now. Quantity breaks go by the sum of a SKU over its lines; lines without a price are left out; promotions are answered one for each code, in their order. 404: there is no such customer.',
    body: Type.Object({
      customer_id: idSchema(),
      lines: Type.Array(Type.Object({ line_id: idSchema(), sku: idSchema(), quantity: amountSchema() }), {
        maxItems: 500,
      }),
      codes: Type.Array(Type.String({ maxLength: 128 }), { maxItems: 50 }),
    }),
    answer: Type.Object({
      lines: Type.Array(QuotedLine),
      promotions: Type.Array(QuotedPromotion),
      as_of: timestampSchema(),
    }),
  },
  listPriceChanges: priceChangesOperation,
} as const satisfies Record<string, Operation>
