import { type Static, Type } from 'typebox'
import type { MerchantFacts } from '../../src/ports/adapter.ts'
import {
  type InventoryItem,
  type ItemParts,
  MAX_BRANCHES,
  MAX_VARIANT_OPTIONS,
  type OrderUnit,
  type Product,
  type ProductMedia,
  type Stock,
} from '../../src/ports/inventory.ts'
import { formatDecimal } from '../decimal-format.ts'
import { isPictureSource } from './picture-reader.ts'
import { DecimalString, nullish, toHttpUrl, toUtcTimestamp, truncateText } from './protocol-values.ts'

const MAX_NAME_LENGTH = 300
const MAX_DESCRIPTION_LENGTH = 20_000

const MediaRow = Type.Object({
  media_id: Type.String(),
  position: Type.Optional(Type.Integer()),
  alt: nullish(Type.String()),
  width: nullish(Type.Integer()),
  height: nullish(Type.Integer()),
  thumb_url: nullish(Type.String()),
  large_url: nullish(Type.String()),
  /** Replaces the two URLs: Forecourt fetches the original itself. */
  content_id: nullish(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21\\x23-\\x7e]+$' })),
})

const ProductRow = Type.Object({
  name: Type.String(),
  slug: Type.Optional(Type.String()),
  description: nullish(Type.String()),
  brand: nullish(Type.String()),
  mpn: nullish(Type.String()),
  barcode: nullish(Type.String()),
  media: nullish(Type.Array(MediaRow)),
  categories: Type.Optional(
    Type.Array(Type.Object({ category_id: Type.String(), name: Type.String(), slug: Type.String() })),
  ),
  tags: Type.Optional(Type.Array(Type.String())),
  uom: Type.String(),
  order_uoms: Type.Optional(
    Type.Array(
      Type.Object({ uom: Type.String(), factor: DecimalString, min: DecimalString, increment: DecimalString }),
    ),
  ),
  variant_of: nullish(Type.Object({ parent_id: Type.String({ minLength: 1, maxLength: 128 }), name: Type.String() })),
  options: nullish(
    Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), { maxItems: MAX_VARIANT_OPTIONS }),
  ),
  active: Type.Boolean(),
  updated_at: Type.String(),
})

const DayString = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })

const BranchRow = Type.Object({
  branch_id: Type.String({ minLength: 1, maxLength: 128 }),
  name: Type.String(),
  available: Type.Number(),
})

export const StockRow = Type.Object({
  available: Type.Number(),
  expected: Type.Array(Type.Object({ date: DayString, quantity: Type.Number() })),
  untracked: nullish(Type.Boolean()),
  sell_when_out: nullish(Type.Boolean()),
  expected_on: nullish(DayString),
  branches: nullish(Type.Array(BranchRow, { maxItems: MAX_BRANCHES })),
})

/** The row of one SKU. Members that a small back office may not have are optional. */
export const ItemRow = Type.Object({
  sku: Type.String({ minLength: 1 }),
  product: nullish(ProductRow),
  stock: nullish(StockRow),
})

export function toItem(
  { sku, product, stock }: Static<typeof ItemRow>,
  parts: ItemParts,
  facts: MerchantFacts,
): InventoryItem {
  return {
    sku,
    ...(parts.product && { product: product ? toProduct(sku, product, facts) : null }),
    ...(parts.stock && { stock: stock ? toStock(stock) : null }),
  }
}

function toProduct(sku: string, row: Static<typeof ProductRow>, facts: MerchantFacts): Product {
  const { name, slug = sku, categories = [], tags = [], uom, order_uoms = [], active } = row
  return {
    sku,
    name: name.slice(0, MAX_NAME_LENGTH),
    slug: slug.slice(0, MAX_NAME_LENGTH),
    description: truncateText(row.description, MAX_DESCRIPTION_LENGTH),
    brand: truncateText(row.brand, MAX_NAME_LENGTH),
    mpn: truncateText(row.mpn, MAX_NAME_LENGTH),
    barcode: truncateText(row.barcode, MAX_NAME_LENGTH),
    media: row.media ? row.media.flatMap((mediaRow, index) => toMedia(mediaRow, index, facts)) : null,
    categories: categories.map(({ category_id, name, slug }) => ({ category_id, name, slug })),
    tags,
    uom,
    order_uoms: order_uoms.map(toOrderUnit),
    ...toVariantMembers(row),
    active,
    updated_at: toUtcTimestamp(row.updated_at),
  }
}

/** Without an option, shoppers could not tell the variants of a parent apart. */
function toVariantMembers({ variant_of, options }: Static<typeof ProductRow>): Pick<Product, 'variant_of' | 'options'> {
  if (!variant_of || !options?.length) return {}
  const { parent_id, name } = variant_of
  return {
    variant_of: { parent_id, name: name.slice(0, MAX_NAME_LENGTH) },
    options: options.map(({ name, value }) => ({
      name: name.slice(0, MAX_NAME_LENGTH),
      value: value.slice(0, MAX_NAME_LENGTH),
    })),
  }
}

function toOrderUnit({ uom, factor, min, increment }: OrderUnit): OrderUnit {
  return { uom, factor: formatDecimal(factor), min: formatDecimal(min), increment: formatDecimal(increment) }
}

/** The URLs of a picture: from the system itself, or from Forecourt when it fetches the original. `null` when there is neither. */
function toPictureUrls({ media_id, content_id, ...row }: Static<typeof MediaRow>, { pictureUrls }: MerchantFacts) {
  if (content_id && isPictureSource(media_id)) return pictureUrls({ source: media_id, version: content_id })
  // Storefronts put these into src attributes.
  const [thumb_url, large_url] = [toHttpUrl(row.thumb_url), toHttpUrl(row.large_url)]
  return thumb_url && large_url ? { thumb_url, large_url } : null
}

function toMedia(row: Static<typeof MediaRow>, index: number, facts: MerchantFacts): ProductMedia[] {
  const { media_id, position = index + 1, width = null, height = null } = row
  const urls = toPictureUrls(row, facts)
  return urls
    ? [{ media_id, position, alt: truncateText(row.alt, MAX_NAME_LENGTH), kind: 'IMAGE', width, height, ...urls }]
    : []
}

export function toStock({ available, expected, ...row }: Static<typeof StockRow>): Stock {
  return {
    available,
    expected: expected.map(({ date, quantity }) => ({ date, quantity })),
    ...(row.untracked && { untracked: true }),
    ...(typeof row.sell_when_out === 'boolean' && { sell_when_out: row.sell_when_out }),
    ...(row.expected_on && { expected_on: row.expected_on }),
    ...(row.branches && {
      branches: row.branches.map(({ branch_id, name, available }) => ({
        branch_id,
        name: name.slice(0, MAX_NAME_LENGTH),
        available,
      })),
    }),
  }
}
