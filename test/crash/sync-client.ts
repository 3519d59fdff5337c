import { type VisibleProduct, versionOf } from './catalog-model.ts'
import { getJson } from './get-json.ts'

/** A product as a list, or its own page, shows it. */
export interface ProductView {
  sku: string
  active: boolean
  name: string
  categories: { category_id: string }[]
  price: { amount: string } | null
  availability: { band: string } | null
}

export interface CategoryView {
  category_id: string
  product_count: number | null
}

export const toVisible = ({ name, categories, price, availability }: ProductView): VisibleProduct => ({
  name,
  category: categories[0]?.category_id ?? '',
  amount: price?.amount ?? '',
  band: availability?.band ?? '',
})

interface SyncPage {
  data: ProductView[]
  pagination: { has_more: boolean }
  sync: { watermark: string; as_of: string | null }
}

/** A client that holds the catalog, and follows it with `updated_since`. It asks a server for each page, any of several. */
export interface SyncClient {
  /** The active products. */
  readonly products: ReadonlyMap<string, VisibleProduct>
  /** What came in a wrong order, or was repeated. */
  readonly mistakes: string[]
  /** Reads what has changed. Returns false if a server could not respond. */
  sync(): Promise<boolean>
}

const BEGINNING = '2000-01-01T00:00:00Z'

export function createSyncClient(address: () => string, key: string, isDoubled: (sku: string) => boolean): SyncClient {
  const products = new Map<string, VisibleProduct>()
  const mistakes: string[] = []
  let watermark = BEGINNING

  function store(row: ProductView): void {
    const before = products.get(row.sku)
    if (!row.active) return void products.delete(row.sku)
    const next = toVisible(row)
    const isOlder = before && versionOf(next.name) < versionOf(before.name)
    if (isOlder && !isDoubled(row.sku)) mistakes.push(`${row.sku} went back from ${before.name} to ${next.name}`)
    products.set(row.sku, next)
  }

  return {
    products,
    mistakes,
    async sync() {
      for (;;) {
        const path = `/v1/products?limit=20&updated_since=${encodeURIComponent(watermark)}`
        const { status, body } = await getJson<SyncPage>(address(), key, path)
        if (status !== 200) return false
        if (body.sync.as_of === null) mistakes.push(`a page after ${watermark} came from the systems`)
        for (const row of body.data) store(row)
        watermark = body.sync.watermark
        if (!body.pagination.has_more) return true
      }
    },
  }
}
