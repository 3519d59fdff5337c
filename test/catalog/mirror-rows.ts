import type { MirrorRow } from '../../src/catalog/mirror/file/mirror-row.ts'
import type { Product } from '../../src/ports/inventory.ts'

const AT = '2026-03-02T12:00:00.000Z'
let sequence = 0

export interface RowParts extends Partial<Omit<MirrorRow, 'sku' | 'product' | 'price' | 'availability'>> {
  product?: Partial<Product>
  categories?: string[]
  listPrice?: string | null
  band?: NonNullable<MirrorRow['availability']>['band'] | null
}

/** A row of a mirror; each has a higher sequence than the one before. Categories are given by their names. */
export function toRow(sku: string, { product, categories = [], listPrice, band, ...parts }: RowParts = {}): MirrorRow {
  sequence += 1
  return {
    sku,
    sequence,
    product: {
      sku,
      name: sku,
      slug: sku.toLowerCase(),
      description: null,
      brand: null,
      mpn: null,
      barcode: null,
      media: [],
      categories: categories.map((name) => ({ category_id: `c-${name}`, name, slug: name.toLowerCase() })),
      tags: [],
      uom: 'each',
      order_uoms: [],
      active: true,
      updated_at: AT,
      ...product,
    },
    price: listPrice == null ? null : toPrice(sku, listPrice),
    price_as_of: null,
    tax: null,
    availability: band === null ? null : { band: band ?? 'IN_STOCK', eta: null },
    stock_as_of: null,
    references: [],
    vehicles: [],
    universal: false,
    popularity: 0,
    ...parts,
  }
}

const toPrice = (sku: string, amount: string): NonNullable<MirrorRow['price']> => ({
  sku,
  amount,
  price_type: 'LIST',
  list_amount: amount,
  tax_included: false,
  uom: 'each',
  breaks: [],
  as_of: AT,
})
