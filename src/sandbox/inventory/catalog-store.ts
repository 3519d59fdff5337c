import type { DocumentStore } from '../storage/document-store.ts'
import { createMonotonicClock } from '../storage/monotonic-clock.ts'
import { foldText } from './fold-text.ts'

export interface StoredProduct {
  sku: string
  name: string
  slug: string
  description: string | null
  brand: string | null
  mpn: string | null
  barcode: string | null
  category_ids: string[]
  tags: string[]
  uom: string
  order_uoms: { uom: string; factor: string; min: string; increment: string }[]
  active: boolean
  universal: boolean
  updated_at: string
  /** `original`: a file that is handed out with the token alone, in place of published ones. */
  media: { media_id: string; file: string; alt: string | null; original?: string }[]
}

export interface StoredStock {
  available: number
  expected: { date: string; quantity: number }[]
  updated_at: string
}

export interface StoredCategory {
  category_id: string
  name: string
  slug: string
  parent_id: string | null
  position: number
}

/** A product with what searching it needs. */
export interface CatalogEntry {
  product: StoredProduct
  changedMs: number
  /** Everything that `q` looks at, without case and accents. */
  text: string
  /** Ids and slugs of its categories and of all above them. */
  categories: ReadonlySet<string>
}

export interface CatalogStore {
  categories: ReadonlyMap<string, StoredCategory>
  /** In the order of the SKUs, deactivated ones included. */
  entries(): readonly CatalogEntry[]
  entry(sku: string): CatalogEntry | undefined
  stock(sku: string): StoredStock | null
  stocks(): ReadonlyMap<string, StoredStock>
  /** Keeps the changed product, and its new change time. */
  change(sku: string, members: Partial<StoredProduct>): StoredProduct
  /** Receipts that are not given stay as they were. */
  setStock(sku: string, stock: Partial<Omit<StoredStock, 'updated_at'>>): StoredStock
}

/** The products and stock of one account: read from memory, written through to the store. */
export function openCatalogStore(store: DocumentStore, now: () => Date): CatalogStore {
  const categories = store.all<StoredCategory>('categories')
  const stock = store.all<StoredStock>('stock')
  const entries = [...store.all<StoredProduct>('products').values()]
    .map((product) => entryOf(product, categories))
    .sort((a, b) => (a.product.sku < b.product.sku ? -1 : 1))
  const places = new Map(entries.map((entry, place) => [entry.product.sku, place]))
  const entry = (sku: string) => entries[places.get(sku) ?? -1]
  const productChanged = createMonotonicClock(
    now,
    entries.map(({ product }) => product),
  )
  const stockChanged = createMonotonicClock(now, stock.values())
  return {
    categories,
    entries: () => entries,
    entry,
    stock: (sku) => stock.get(sku) ?? null,
    stocks: () => stock,
    change(sku, members) {
      const before = entry(sku)!
      const product = { ...before.product, ...members, updated_at: productChanged() }
      store.put('products', sku, product)
      entries[places.get(sku)!] = entryOf(product, categories)
      return product
    },
    setStock(sku, given) {
      const kept = { available: 0, expected: [], ...stock.get(sku), ...given, updated_at: stockChanged() }
      store.put('stock', sku, kept)
      stock.set(sku, kept)
      return kept
    },
  }
}

function entryOf(product: StoredProduct, categories: ReadonlyMap<string, StoredCategory>): CatalogEntry {
  const { sku, name, brand, mpn, barcode, description } = product
  const text = foldText([sku, name, brand, mpn, barcode, description].filter((part) => part !== null).join('\n'))
  const within = new Set<string>()
  for (const id of product.category_ids) {
    for (let category = categories.get(id); category; category = categories.get(category.parent_id ?? '')) {
      within.add(category.category_id).add(category.slug)
    }
  }
  return { product, changedMs: Date.parse(product.updated_at), text, categories: within }
}
