import { Type } from 'typebox'
import type { Operation } from './operation.ts'
import {
  amountSchema,
  CHANGE_ORDER,
  changePageSchema,
  changeQuerySchema,
  decimalSchema,
  enumSchema,
  idSchema,
  nullableSchema,
  skuListSchema,
  timestampSchema,
} from './schema-parts.ts'

const Price = Type.Object({
  sku: Type.String(),
  amount: decimalSchema(),
  price_type: Type.Union([Type.Literal('LIST'), Type.Literal('CONTRACT')], {
    description: 'CONTRACT: a price of this customer for this SKU.',
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
    description: 'The price of one base unit for this customer at this quantity, before promotions.',
  }),
  list_unit_price: amountSchema(),
  price_type: enumSchema('LIST', 'CONTRACT'),
  tax_included: Type.Boolean(),
  discount: Type.String({ pattern: '^\\d+(\\.\\d+)?$', description: 'The discount of promotions on the whole line.' }),
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
    summary: 'The price of one base unit of each SKU. Omits SKUs without a price. 404: the customer does not exist.',
    body: Type.Object({ skus: skuListSchema(), customer_id: nullableSchema(Type.String({ minLength: 1 })) }),
    response: Type.Object({ data: Type.Array(Price) }),
  },
  quoteCart: {
    method: 'POST',
    path: '/quotes',
    summary:
      'Prices a cart for a customer. Quantity breaks apply to the sum of a SKU over its lines. Omits lines without a price. Returns one promotion for each code, in the same order. 404: the customer does not exist.',
    body: Type.Object({
      customer_id: idSchema(),
      lines: Type.Array(Type.Object({ line_id: idSchema(), sku: idSchema(), quantity: amountSchema() }), {
        maxItems: 500,
      }),
      codes: Type.Array(Type.String({ maxLength: 128 }), { maxItems: 50 }),
    }),
    response: Type.Object({
      lines: Type.Array(QuotedLine),
      promotions: Type.Array(QuotedPromotion),
      as_of: timestampSchema(),
    }),
  },
  listPriceChanges: {
    method: 'GET',
    path: '/changes/prices',
    summary: `SKUs with a change of any list or contract price. ${CHANGE_ORDER}`,
    query: changeQuerySchema,
    response: changePageSchema(Type.Object({ sku: Type.String(), updated_at: timestampSchema() })),
  },
} as const satisfies Record<string, Operation>
