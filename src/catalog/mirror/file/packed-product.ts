import type { Tax } from '../../../ports/accounting.ts'
import type { Product } from '../../../ports/inventory.ts'
import type { Price } from '../../../ports/pricing.ts'
import type { SharedValues, SharedValueWriter } from '../../search/columns/shared-values.ts'
import type { MirrorProduct, MirrorRow } from './mirror-row.ts'

/** The columns of a mirror's products from which {@link unpackProduct} makes a product. A part that was not read yet is NULL. */
export const PACKED_COLUMN_NAMES = [
  'sku',
  'active',
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
  /** JSON of a list of the values of {@link PRODUCT_KEYS}. */
  product: string
  /** JSON of a list of the values of {@link PRICE_KEYS}. */
  price: string | null
  price_as_of: string | null
  tax: number | null
  availability: number | null
  stock_as_of: string | null
}

/** The members that have no column. */
const PRODUCT_KEYS = ['description', 'mpn', 'barcode', 'media', 'uom', 'order_uoms', 'updated_at'] as const
const PRODUCT_COLUMNS = ['sku', 'name', 'slug', 'brand', 'categories', 'tags', 'active'] as const
const PRICE_KEYS = ['amount', 'price_type', 'list_amount', 'tax_included', 'uom', 'breaks', 'as_of'] as const

export function packProduct(row: MirrorRow, { idOf }: SharedValueWriter): PackedProduct {
  const { sku, product, price, tax, availability, price_as_of, stock_as_of } = row
  return {
    sku,
    active: Number(product.active),
    name: product.name,
    slug: product.slug,
    brand: idOf(product.brand),
    categories: idOf(product.categories),
    tags: idOf(product.tags),
    product: product.sku === sku ? pack(product, PRODUCT_KEYS, PRODUCT_COLUMNS.length) : JSON.stringify(product),
    price: price === undefined ? null : price?.sku === sku ? pack(price, PRICE_KEYS, 1) : JSON.stringify(price),
    price_as_of,
    tax: tax === undefined ? null : idOf(tax?.sku === sku ? { ...tax, sku: undefined } : tax),
    availability: availability === undefined ? null : idOf(availability),
    stock_as_of,
  }
}

/** Returns JSON of a list of the members. An object with other members stays as it is. `otherMembers`: those that are stored elsewhere. */
function pack<T extends object>(part: T, keys: readonly (keyof T)[], otherMembers: number): string {
  const isUsual =
    Object.keys(part).length === keys.length + otherMembers && keys.every((key) => part[key] !== undefined)
  return JSON.stringify(isUsual ? keys.map((key) => part[key]) : part)
}

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
  const values = JSON.parse(product)
  if (!Array.isArray(values)) return values as Product
  const [description, mpn, barcode] = values
  return { sku, description, mpn, barcode }
}

/** Returns the product alone, without its price, tax and band. */
function unpackOwnMembers(
  { sku, name, slug, brand, categories, tags, active, product }: PackedProduct,
  shared: SharedValues,
) {
  const values = JSON.parse(product)
  if (!Array.isArray(values)) return values as Product
  const [description, mpn, barcode, media, uom, order_uoms, updated_at] = values
  return {
    sku,
    name,
    slug,
    description,
    brand: shared<Product['brand']>(brand),
    mpn,
    barcode,
    media,
    categories: shared<Product['categories']>(categories),
    tags: shared<Product['tags']>(tags),
    uom,
    order_uoms,
    active: active === 1,
    updated_at,
  } satisfies Product
}

function unpackPrice(sku: string, text: string): Price | null {
  const values = JSON.parse(text)
  if (!Array.isArray(values)) return values as Price | null
  const [amount, price_type, list_amount, tax_included, uom, breaks, as_of] = values
  return { sku, amount, price_type, list_amount, tax_included, uom, breaks, as_of }
}

const unpackTax = (sku: string, terms: Omit<Tax, 'sku'> | null): Tax | null => terms && { sku, ...terms }
