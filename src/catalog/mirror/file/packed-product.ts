import { crc32 } from 'node:zlib'
import type { Tax } from '../../../ports/accounting.ts'
import type { Product } from '../../../ports/inventory.ts'
import type { Price } from '../../../ports/pricing.ts'
import type { SharedValues, SharedValueWriter } from '../../search/columns/shared-values.ts'
import type { MirrorProduct, MirrorRow } from './mirror-row.ts'

/** The columns of a mirror's products from which {@link unpackProduct} makes a product. A part that was not read yet is NULL. */
export const PACKED_COLUMN_NAMES = [
  'active',
  'sku',
  'name',
  'slug',
  'brand',
  'categories',
  'tags',
  'product',
  'price',
  'price_as_of',
  'tax',
  'availability',
  'stock_as_of',
  'checksum',
] as const
export const PACKED_COLUMNS = PACKED_COLUMN_NAMES.join(', ')

export interface PackedProduct {
  sku: string
  active: number
  name: string
  slug: string
  /** The id of a shared value, as are `categories`, `tags`, `tax` and `availability`. */
  brand: number
  categories: number
  tags: number
  /** JSON of the values of {@link PRODUCT_LINES}, a line each, or of a product that has other members than usual. */
  product: string
  /** JSON of the values of {@link PRICE_LINES}, a line each, or of a price that has other members than usual, or `null`. */
  price: string | null
  price_as_of: string | null
  tax: number | null
  availability: number | null
  stock_as_of: string | null
  /** The CRC-32 of `product` and `price`, which are sent without being parsed. */
  checksum: number
}

/** The members that have no column. `cover` is the first picture, and `pictures` are the others: `null` if the adapter reads none. */
const PRODUCT_LINES = [
  'description',
  'mpn',
  'barcode',
  'cover',
  'pictures',
  'uom',
  'order_uoms',
  'variant_of',
  'options',
  'updated_at',
] as const
const PRODUCT_COLUMNS = ['sku', 'name', 'slug', 'brand', 'categories', 'tags', 'active'] as const
const PRICE_LINES = ['amount', 'price_type', 'list_amount', 'tax_included', 'uom', 'breaks', 'as_of'] as const

/** JSON of the members of a product or a price. */
export type ProductLines = Record<(typeof PRODUCT_LINES)[number], string>
export type PriceLines = Record<(typeof PRICE_LINES)[number], string>

export function packProduct(row: MirrorRow, { idOf }: SharedValueWriter): PackedProduct {
  const { sku, product, tax, availability, price_as_of, stock_as_of } = row
  const packed = packOwnMembers(sku, product)
  const price = row.price === undefined ? null : packPrice(sku, row.price)
  return {
    sku,
    active: Number(product.active),
    name: product.name,
    slug: product.slug,
    brand: idOf(product.brand),
    categories: idOf(product.categories),
    tags: idOf(product.tags),
    product: packed,
    price,
    price_as_of,
    tax: tax === undefined ? null : idOf(tax?.sku === sku ? { ...tax, sku: undefined } : tax),
    availability: availability === undefined ? null : idOf(availability),
    stock_as_of,
    checksum: checksumOf(packed, price),
  }
}

function packOwnMembers(sku: string, product: Product): string {
  const { media, variant_of = null, options = [], ...members } = product
  if (product.sku !== sku || media === undefined) return JSON.stringify(product)
  const [cover = null, ...pictures] = media ?? []
  const lines = { ...members, cover, pictures: media && pictures, variant_of, options }
  return joinLines(lines, PRODUCT_LINES, PRODUCT_COLUMNS.length) ?? JSON.stringify(product)
}

const packPrice = (sku: string, price: Price | null): string =>
  (price?.sku === sku && joinLines(price, PRICE_LINES, 1)) || JSON.stringify(price)

/** JSON has no line breaks of its own. `null`: the part has other members. `otherMembers`: those that are stored elsewhere. */
function joinLines<T extends object>(part: T, keys: readonly (keyof T)[], otherMembers: number): string | null {
  if (Object.keys(part).length !== keys.length + otherMembers || keys.some((key) => part[key] === undefined))
    return null
  return keys.map((key) => JSON.stringify(part[key])).join('\n')
}

export const checksumOf = (product: string, price: string | null): number => crc32(product, crc32(price ?? ''))

/** Returns the lines of a packed product; `null`: it has other members than usual. */
export function splitProduct(packed: string): ProductLines | null {
  const lines = packed.split('\n')
  if (lines.length !== PRODUCT_LINES.length) return null
  const [description, mpn, barcode, cover, pictures, uom, order_uoms, variant_of, options, updated_at] = lines
  return {
    description,
    mpn,
    barcode,
    cover,
    pictures,
    uom,
    order_uoms,
    variant_of,
    options,
    updated_at,
  } as ProductLines
}

/** Returns the lines of a packed price; `null`: it has other members than usual, or the product has none. */
export function splitPrice(packed: string): PriceLines | null {
  const [amount, price_type, list_amount, tax_included, uom, breaks, as_of] = packed.split('\n')
  if (as_of === undefined) return null
  return { amount, price_type, list_amount, tax_included, uom, breaks, as_of } as PriceLines
}

/** Parses lines at once. JSON of another part is an object or `null`. */
const parseLines = (packed: string) => JSON.parse(packed.includes('\n') ? `[${packed.replaceAll('\n', ',')}]` : packed)

export function unpackProduct(columns: PackedProduct, shared: SharedValues): MirrorProduct {
  const { sku, price, tax, availability, price_as_of, stock_as_of } = columns
  const row: MirrorProduct = { product: unpackOwnMembers(columns, shared), price_as_of, stock_as_of }
  if (price !== null) row.price = unpackPrice(sku, price)
  if (tax !== null) row.tax = unpackTax(sku, shared(tax))
  if (availability !== null) row.availability = shared(availability)
  return row
}

/** Returns the texts by which a product is found and that have no column. */
export function unpackTexts({
  sku,
  product,
}: Pick<PackedProduct, 'sku' | 'product'>): Pick<Product, 'sku' | 'description' | 'mpn' | 'barcode'> {
  const values = parseLines(product)
  if (!Array.isArray(values)) return values as Product
  const [description, mpn, barcode] = values
  return { sku, description, mpn, barcode }
}

/** Returns the product alone, without its price, tax and band. */
function unpackOwnMembers(
  { sku, name, slug, brand, categories, tags, active, product }: PackedProduct,
  shared: SharedValues,
) {
  const values = parseLines(product)
  if (!Array.isArray(values)) return values as Product
  const [description, mpn, barcode, cover, pictures, uom, order_uoms, variant_of, options, updated_at] = values
  return {
    sku,
    name,
    slug,
    description,
    brand: shared<Product['brand']>(brand),
    mpn,
    barcode,
    media: pictures && (cover === null ? [] : [cover, ...pictures]),
    categories: shared<Product['categories']>(categories),
    tags: shared<Product['tags']>(tags),
    uom,
    order_uoms,
    ...(variant_of && { variant_of }),
    ...(options.length > 0 && { options }),
    active: active === 1,
    updated_at,
  } satisfies Product
}

function unpackPrice(sku: string, text: string): Price | null {
  const values = parseLines(text)
  if (!Array.isArray(values)) return values as Price | null
  const [amount, price_type, list_amount, tax_included, uom, breaks, as_of] = values
  return { sku, amount, price_type, list_amount, tax_included, uom, breaks, as_of }
}

const unpackTax = (sku: string, terms: Omit<Tax, 'sku'> | null): Tax | null => terms && { sku, ...terms }
