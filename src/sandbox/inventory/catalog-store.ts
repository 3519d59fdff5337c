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
  variant_of?: { parent_id: string; name: string }
  options?: { name: string; value: string }[]
  active: boolean
  universal: boolean
  updated_at: string
  /** `original`: a file that is served only with the token, instead of published ones. */
  media: { media_id: string; file: string; alt: string | null; original?: string }[]
}

export interface StoredStock {
  available: number
  expected: { date: string; quantity: number }[]
  untracked?: boolean
  sell_when_out?: boolean
  expected_on?: string
  branches?: { branch_id: string; name: string; available: number }[]
  updated_at: string
}

export interface StoredCategory {
  category_id: string
  name: string
  slug: string
  parent_id: string | null
  position: number
}

/** A product with its search index. */
export interface CatalogEntry {
  product: StoredProduct
  changedMs: number
  /** The text that `q` searches, folded. */
  text: string
  /** The ids and slugs of its categories and their ancestors. */
  categories: ReadonlySet<string>
}

export interface CatalogStore {
  categories: ReadonlyMap<string, StoredCategory>
  /** All products, active or not, by SKU. */
  entries(): readonly CatalogEntry[]
  entry(sku: string): CatalogEntry | undefined
  stock(sku: string): StoredStock | null
  stocks(): ReadonlyMap<string, StoredStock>
  /** Saves the changed product with a new change time. */
  change(sku: string, members: Partial<StoredProduct>): StoredProduct
  /** Saves the stock; members that are not given stay unchanged. */
  setStock(sku: string, stock: Partial<Omit<StoredStock, 'updated_at'>>): StoredStock
}

/** The products and stock of one account: read from memory, written through to the store. */
export function openCatalogStore(store: DocumentStore, now: () => Date): CatalogStore {
  const categories = store.all<StoredCategory>('categories')
  const stock = store.all<StoredStock>('stock')
  const entries = [...store.all<StoredProduct>('products').values()]
    .map((product) => entryOf(product, categories))
    .sort((a, b) => (a.product.sku < b.product.sku ? -1 : 1))
  const indexBySku = new Map(entries.map((entry, index) => [entry.product.sku, index]))
  const entry = (sku: string) => entries[indexBySku.get(sku) ?? -1]
  const nextProductChangeTime = createMonotonicClock(
    now,
    entries.map(({ product }) => product),
  )
  const nextStockChangeTime = createMonotonicClock(now, stock.values())
  return {
    categories,
    entries: () => entries,
    entry,
    stock: (sku) => stock.get(sku) ?? null,
    stocks: () => stock,
    change(sku, members) {
      const current = entry(sku)!
      const product = { ...current.product, ...members, updated_at: nextProductChangeTime() }
      store.put('products', sku, product)
      entries[indexBySku.get(sku)!] = entryOf(product, categories)
      return product
    },
    setStock(sku, members) {
      const stored = { available: 0, expected: [], ...stock.get(sku), ...members, updated_at: nextStockChangeTime() }
      store.put('stock', sku, stored)
      stock.set(sku, stored)
      return stored
    },
  }
}

function entryOf(product: StoredProduct, categories: ReadonlyMap<string, StoredCategory>): CatalogEntry {
  const { sku, name, brand, mpn, barcode, description } = product
  const text = foldText([sku, name, brand, mpn, barcode, description].filter((part) => part !== null).join('\n'))
  const categoryNames = new Set<string>()
  for (const id of product.category_ids) {
    for (let category = categories.get(id); category; category = categories.get(category.parent_id ?? '')) {
      categoryNames.add(category.category_id).add(category.slug)
    }
  }
  return { product, changedMs: Date.parse(product.updated_at), text, categories: categoryNames }
}
