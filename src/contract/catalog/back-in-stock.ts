import Type from 'typebox'
import { Timestamp } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'

export const BackInStockRequestSchema = Type.Object(
  {
    sku: Type.String(),
    created_at: Timestamp,
    expires_at: Type.String({
      ...Timestamp,
      description: 'When the request expires, unless the product is in stock before',
    }),
  },
  { $id: 'BackInStockRequest', description: 'A product that the shopper waits for' },
)

export const BackInStockResponse = Type.Object(
  { ...BackInStockRequestSchema.properties, errors: SectionErrors },
  { $id: 'BackInStockResponse' },
)

export const BackInStockRequestList = Type.Object(
  {
    data: Type.Array(BackInStockRequestSchema, { description: 'The newest first; at most 50' }),
  },
  { $id: 'BackInStockRequestList' },
)
