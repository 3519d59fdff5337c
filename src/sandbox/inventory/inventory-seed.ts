import { categories } from '../../../fixtures/categories.ts'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { type FixtureProduct, generateProducts } from '../../../fixtures/products.ts'
import { stockChangedHoursAgo, stockOf } from '../../../fixtures/stock.ts'
import { tags } from '../../../fixtures/tags.ts'
import { findVariant } from '../../../fixtures/variants.ts'
import { vehicles } from '../../../fixtures/vehicles.ts'
import type { DocumentSeed } from '../storage/document-store.ts'
import { wholeHourBefore } from '../storage/whole-hour-before.ts'
import type { StoredProduct, StoredStock } from './catalog-store.ts'

const DAY = 86_400_000

/** The inventory system's documents. Dates count from `now`. */
export function inventorySeed(now: Date): DocumentSeed {
  const products = generateProducts()
  return {
    categories: categories.map((category) => [category.category_id, category] as const),
    tags: Object.entries(tags).map(([tag, name]) => [tag, { tag, name }] as const),
    vehicles: vehicles.map((vehicle) => [String(vehicle.vehicle_id), vehicle] as const),
    products: products.map((product, i) => [product.sku, createProduct(product, i, now)] as const),
    fitments: products.filter((product) => !product.universal).map(({ sku, fitments }) => [sku, fitments] as const),
    stock: products.flatMap((product) => {
      const stock = createStock(product, now)
      return stock ? [[product.sku, stock] as const] : []
    }),
  }
}

function createProduct(product: FixtureProduct, index: number, now: Date): StoredProduct {
  const { sku, name, slug, description, brand, mpn, barcode, category_ids, tags, units, active, universal } = product
  return {
    sku,
    name,
    slug,
    description,
    brand,
    mpn,
    barcode,
    category_ids,
    tags,
    active,
    universal,
    uom: units[0]!.uom,
    order_uoms: units,
    ...findVariant(sku),
    updated_at: wholeHourBefore(now, product.changedHoursAgo),
    media: product.pictures.map((file, view) => ({
      media_id: `m${10001 + index}-${view + 1}`,
      file,
      alt: view === 0 ? name : null,
      ...(sku === knownSkus.originals && { original: `${file}.${view === 0 ? 'jpg' : 'png'}` }),
    })),
  }
}

function createStock(product: FixtureProduct, now: Date): StoredStock | null {
  const stock = stockOf(product)
  if (!stock) return null
  const expected = stock.expected.map(({ inDays, quantity }) => ({
    date: new Date(now.getTime() + inDays * DAY).toISOString().slice(0, 10),
    quantity,
  }))
  const { available } = stock
  return {
    available,
    expected,
    ...(product.sku === knownSkus.twoBranches && { branches: toBranches(available) }),
    updated_at: wholeHourBefore(now, stockChangedHoursAgo(product)),
  }
}

const toBranches = (available: number) => [
  { branch_id: 'KGN', name: 'Kingston', available },
  { branch_id: 'MBJ', name: 'Montego Bay', available: 0 },
]
