import { InvalidInput } from '../../errors.ts'

/** The error for a SKU that the catalog does not have (any more). */
export function createUnknownSkuError(loc: string[], input: string): InvalidInput {
  const msg = 'No product with this SKU exists. Send a sku from GET /v1/products, in the same letter case'
  return new InvalidInput([{ type: 'unknown_sku', loc, msg, input: input.slice(0, 256) }])
}
