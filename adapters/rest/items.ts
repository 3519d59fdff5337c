import { type Static, Type } from 'typebox'
import type { MerchantFacts } from '../../src/ports/adapter.ts'
import type { Item, Media, OrderUnit, Parts, Product, Stock } from '../../src/ports/inventory.ts'
import { plain } from '../amount-format.ts'
import { isSource } from './pictures.ts'
import { clamp, Decimal, maybe, moment, webAddress } from './protocol.ts'

const NAME = 300
const TEXT = 20_000

const MediaRow = Type.Object({
  media_id: Type.String(),
  position: Type.Optional(Type.Integer()),
  alt: maybe(Type.String()),
  width: maybe(Type.Integer()),
  height: maybe(Type.Integer()),
  thumb_url: maybe(Type.String()),
  large_url: maybe(Type.String()),
  /** In place of the two: Forecourt fetches the original itself. */
  content_id: maybe(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21\\x23-\\x7e]+$' })),
})

const ProductRow = Type.Object({
  name: Type.String(),
  slug: Type.Optional(Type.String()),
  description: maybe(Type.String()),
  brand: maybe(Type.String()),
  mpn: maybe(Type.String()),
  barcode: maybe(Type.String()),
  media: maybe(Type.Array(MediaRow)),
  categories: Type.Optional(
    Type.Array(Type.Object({ category_id: Type.String(), name: Type.String(), slug: Type.String() })),
  ),
  tags: Type.Optional(Type.Array(Type.String())),
  uom: Type.String(),
  order_uoms: Type.Optional(
    Type.Array(Type.Object({ uom: Type.String(), factor: Decimal, min: Decimal, increment: Decimal })),
  ),
  active: Type.Boolean(),
  updated_at: Type.String(),
})

export const StockRow = Type.Object({
  available: Type.Number(),
  expected: Type.Array(
    Type.Object({ date: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }), quantity: Type.Number() }),
  ),
})

/** One SKU as a system answers it; what is optional here is what a small back office may not keep. */
export const ItemRow = Type.Object({
  sku: Type.String({ minLength: 1 }),
  product: maybe(ProductRow),
  stock: maybe(StockRow),
})

export function itemOf({ sku, product, stock }: Static<typeof ItemRow>, parts: Parts, facts: MerchantFacts): Item {
  return {
    sku,
    ...(parts.product && { product: product ? productOf(sku, product, facts) : null }),
    ...(parts.stock && { stock: stock ? stockOf(stock) : null }),
  }
}

function productOf(sku: string, row: Static<typeof ProductRow>, facts: MerchantFacts): Product {
  const { name, slug = sku, categories = [], tags = [], uom, order_uoms = [], active } = row
  return {
    sku,
    name: name.slice(0, NAME),
    slug: slug.slice(0, NAME),
    description: clamp(row.description, TEXT),
    brand: clamp(row.brand, NAME),
    mpn: clamp(row.mpn, NAME),
    barcode: clamp(row.barcode, NAME),
    media: row.media ? row.media.flatMap((one, index) => mediaOf(one, index, facts)) : null,
    categories: categories.map(({ category_id, name, slug }) => ({ category_id, name, slug })),
    tags,
    uom,
    order_uoms: order_uoms.map(orderUnitOf),
    active,
    updated_at: moment(row.updated_at),
  }
}

function orderUnitOf({ uom, factor, min, increment }: OrderUnit): OrderUnit {
  return { uom, factor: plain(factor), min: plain(min), increment: plain(increment) }
}

/** Where a storefront finds it: with the system itself, or here. What can be found nowhere is left out. */
function urlsOf({ media_id, content_id, ...row }: Static<typeof MediaRow>, { pictureUrls }: MerchantFacts) {
  if (content_id && isSource(media_id)) return pictureUrls({ source: media_id, version: content_id })
  // A storefront puts these into src attributes.
  const [thumb_url, large_url] = [webAddress(row.thumb_url), webAddress(row.large_url)]
  return thumb_url && large_url ? { thumb_url, large_url } : null
}

function mediaOf(row: Static<typeof MediaRow>, index: number, facts: MerchantFacts): Media[] {
  const { media_id, position = index + 1, width = null, height = null } = row
  const urls = urlsOf(row, facts)
  return urls ? [{ media_id, position, alt: clamp(row.alt, NAME), kind: 'IMAGE', width, height, ...urls }] : []
}

export function stockOf({ available, expected }: Static<typeof StockRow>): Stock {
  return { available, expected: expected.map(({ date, quantity }) => ({ date, quantity })) }
}
