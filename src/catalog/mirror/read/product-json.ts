import type { DatabaseSync } from 'node:sqlite'
import type { Tax } from '../../../ports/accounting.ts'
import { normalizeNumber } from '../../../ports/normalize-number.ts'
import { type StockAvailability, summarizeAvailability } from '../../availability-bands.ts'
import type { SharedValues } from '../../search/columns/shared-values.ts'
import { MirrorDamageError } from '../file/mirror-damage.ts'
import {
  checksumOf,
  PACKED_COLUMN_NAMES,
  type PackedProduct,
  type PriceLines,
  type ProductLines,
  splitPrice,
  splitProduct,
} from '../file/packed-product.ts'
import { toPictureUrlsInText } from '../file/picture-paths.ts'
import { SELECT_NAMING_NUMBER } from './product-number-reader.ts'

/** An active product as JSON of its members, from which a response is joined without parsing them. */
export interface ProductJson extends ProductLines {
  sku: string
  name: string
  slug: string
  brand: string
  categories: string
  tags: string
  /** The list price; `null`: it has none. */
  price: PriceLines | null
  price_as_of: string | null
  tax: string
  availability: string
  /** The date of the availability; `null`: it has none. */
  eta: string | null
  stock_as_of: string | null
}

/** A product, and whether it has references or is in those of another product. */
export interface ProductText {
  product: ProductJson
  hasReferences: boolean
}

/** `null`: a part of a product was not read yet, or is stored as it came: the products must be read one by one. */
export interface ProductJsonReader {
  /** Returns an active product; `null` also if there is none. */
  text(sku: string): ProductText | null
  /** Returns the products of ids, in their order. Withdrawn products are left out. */
  texts(ids: readonly number[]): ProductJson[] | null
}

const [, ...COLUMNS] = PACKED_COLUMN_NAMES
/** The columns from which the JSON of a product is made. */
export const JSON_COLUMNS = COLUMNS.map((name) => `products.${name}`).join()

type ValuesOf<Names extends readonly (keyof PackedProduct)[]> = { [I in keyof Names]: PackedProduct[Names[I]] }
export type JsonColumns = ValuesOf<typeof COLUMNS>

const MAX_CACHED = 50_000

/** Returns the JSON of an active product; `null`: a part of it was not read yet, or is stored as it came. */
export type ProductJsonOf = (columns: readonly [...JsonColumns, ...unknown[]]) => ProductJson | null

/** `publicUrl`: begins the URLs of pictures. */
export function createProductJson(shared: SharedValues, publicUrl: () => string): ProductJsonOf {
  const toText = memoizeText<unknown>(shared, (value) => value)
  const toTaxText = memoizeText<Tax | null>(shared, (tax) => tax && { code: tax.code, name: tax.name, rate: tax.rate })
  const toBandText = memoizeText<StockAvailability | null>(shared, (stock) => stock && summarizeAvailability(stock))

  return (columns) => {
    const [sku, name, slug, brand, categories, tags, product, price, price_as_of, tax, availability, stock_as_of, sum] =
      columns
    if (price === null || tax === null || availability === null) return null
    if (checksumOf(product, price) !== sum) throw new MirrorDamageError('a row of the mirror file is malformed')
    const lines = splitProduct(product)
    const priceLines = splitPrice(price)
    if (!lines || lines.pictures === 'null' || (!priceLines && price !== 'null')) return null
    // Member by member: spreading the lines takes twice the memory, of which a list makes much.
    return {
      sku,
      name: JSON.stringify(name),
      slug: JSON.stringify(slug),
      description: lines.description,
      brand: toText(brand),
      mpn: lines.mpn,
      barcode: lines.barcode,
      cover: toPictureUrlsInText(lines.cover, publicUrl()),
      pictures: toPictureUrlsInText(lines.pictures, publicUrl()),
      uom: lines.uom,
      order_uoms: lines.order_uoms,
      variant_of: lines.variant_of,
      options: lines.options,
      updated_at: lines.updated_at,
      categories: toText(categories),
      tags: toText(tags),
      price: priceLines,
      price_as_of,
      tax: toTaxText(tax),
      availability: toBandText(availability),
      eta: shared<StockAvailability | null>(availability)?.eta ?? null,
      stock_as_of,
    }
  }
}

export function createProductJsonReader(database: DatabaseSync, toTexts: ProductJsonOf): ProductJsonReader {
  // One statement, because each statement locks the file again.
  const bySku = database.prepare(
    `SELECT ${JSON_COLUMNS}, numbers <> '[]' OR EXISTS (${SELECT_NAMING_NUMBER}) FROM products WHERE sku = ?1 AND active = 1`,
  )
  // A cross join reads the products in the order of the list.
  const byIds = database.prepare(
    `SELECT ${JSON_COLUMNS} FROM json_each(?) AS listed CROSS JOIN products ON products.id = listed.value WHERE active = 1`,
  )
  bySku.setReturnArrays(true)
  byIds.setReturnArrays(true)
  return {
    text(sku) {
      const row = bySku.get(sku, normalizeNumber(sku)) as unknown as [...JsonColumns, hasReferences: number] | undefined
      const product = row ? toTexts(row) : null
      return product && { product, hasReferences: row!.at(-1) === 1 }
    },
    texts(ids) {
      const found: ProductJson[] = []
      for (const columns of byIds.all(JSON.stringify(ids)) as unknown as JsonColumns[]) {
        const texts = toTexts(columns)
        if (!texts) return null
        found.push(texts)
      }
      return found
    },
  }
}

/** Returns a function that returns the JSON of a shared value as it is sent. */
function memoizeText<T>(shared: SharedValues, toSent: (value: T) => unknown): (id: number) => string {
  const texts = new Map<number, string>()
  return (id) => {
    const known = texts.get(id)
    if (known !== undefined) return known
    const text = JSON.stringify(toSent(shared<T>(id)))
    if (texts.size >= MAX_CACHED) texts.clear()
    texts.set(id, text)
    return text
  }
}
