import type { Product } from '../../src/ports/inventory.ts'
import type { Price } from '../../src/ports/pricing.ts'

export const priceOf = (sku: string, amount: string, as_of: string): Price => ({
  sku,
  amount,
  price_type: 'LIST',
  list_amount: amount,
  tax_included: false,
  uom: 'EA',
  breaks: [],
  as_of,
})

export const productOf = (sku: string, updated_at: string, change: Partial<Product> = {}): Product => ({
  sku,
  name: `Part ${sku}`,
  slug: sku.toLowerCase(),
  description: null,
  brand: null,
  mpn: null,
  barcode: null,
  media: null,
  categories: [],
  tags: [],
  uom: 'EA',
  order_uoms: [],
  active: true,
  updated_at,
  ...change,
})
