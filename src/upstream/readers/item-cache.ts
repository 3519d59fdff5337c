import {
  type BandLimits,
  type StockAvailability,
  toAvailabilityWithBranches,
} from '../../catalog/availability-bands.ts'
import type { InventoryItem, InventoryPort, ItemPage, Product } from '../../ports/inventory.ts'
import { type GuardedPort, throughGuard } from '../guard/guarded-port.ts'
import type { CachedLoader } from '../read-stack/cached-loader.ts'
import { createReadStack } from '../read-stack/read-stack.ts'
import { BATCH_WINDOW_MS } from '../read-stack/request-batcher.ts'
import { sectionFreshnessLimits } from '../read-stack/section-freshness-limits.ts'
import { EVERYBODY } from '../read-stack/value-cache.ts'
import type { ReaderParts } from './reader-parts.ts'
import type { SkuPage } from './sku-page.ts'

export interface ItemCacheParts extends ReaderParts {
  inventory: GuardedPort<InventoryPort> | undefined
  bandLimits: BandLimits
  /** YYYY-MM-DD where the merchant is. */
  today: () => string
}

/** An item at this moment; `null`: the inventory has no record of that part. */
export interface LiveItem {
  product: Product | null
  banded: StockAvailability | null
}

/** The items of a tenant in the cache, and the loader that reads them from the inventory. Both parts of an item are read in one call. */
export interface ItemCache {
  readonly loader: CachedLoader<ItemPart, ItemValue>
  /** Stores the items of a response, and returns what a storefront may see of them. `version`: of the invalidations when they were requested. */
  storeItems(items: readonly InventoryItem[], version: number): Map<string, LiveItem>
  storePage(page: ItemPage, version: number): SkuPage
  detachInFlight(): void
}

/** One part of an item; its own cache key and its own freshness. */
export interface ItemPart {
  part: 'product' | 'stock'
  sku: string
}

export type ItemValue = Product | StockAvailability

const idOf = ({ part, sku }: ItemPart) => `${part}\n${sku}`
const skuOf = ({ sku }: ItemPart) => sku

export function createItemCache(parts: ItemCacheParts): ItemCache {
  const { inventory, invalidations, today } = parts

  const loader = createReadStack<ItemPart, ItemValue>({
    tenantKey: parts.tenantKey,
    cache: parts.cache,
    now: parts.now,
    system: 'inventory',
    name: 'item',
    idOf,
    weightOf: skuOf,
    windowMs: BATCH_WINDOW_MS,
    maxKeys: inventory?.port.maxSkus ?? 1,
    freshnessOf: ({ part }) => sectionFreshnessLimits[part],
    invalidation: { invalidations, tagOf: skuOf },
    call(_group, keys, caller) {
      const skus = [...new Set(keys.map(skuOf))]
      const wanted = {
        product: keys.some(({ part }) => part === 'product'),
        stock: keys.some(({ part }) => part === 'stock'),
      }
      return throughGuard(inventory, 'items', 'catalog', caller, async (port, call) => {
        const items = toLiveItems(await port.items(skus, wanted, call))
        return new Map([...valuesOf(items)].map(([key, value]) => [idOf(key), value]))
      })
    },
  })

  /** No later code gets the stock level, only its band. */
  function toLiveItems(items: readonly InventoryItem[]): Map<string, LiveItem> {
    const day = today()
    const live = new Map<string, LiveItem>()
    for (const { sku, product, stock } of items) {
      const previous = loader.lastGood(EVERYBODY, { part: 'stock', sku }) as StockAvailability | null | undefined
      const banded = stock ? toAvailabilityWithBranches(stock, previous, parts.bandLimits, day) : null
      // A system may return a SKU twice: a row without a part does not hide the other row's.
      const former = live.get(sku)
      live.set(sku, { product: product ?? former?.product ?? null, banded: banded ?? former?.banded ?? null })
    }
    return live
  }

  function storeItems(items: readonly InventoryItem[], version: number): Map<string, LiveItem> {
    const live = toLiveItems(items)
    for (const [key, value] of valuesOf(live)) loader.store(EVERYBODY, key, value, version)
    return live
  }

  return {
    loader,
    storeItems,
    storePage(page, version) {
      storeItems(page.items, version)
      const changes = page.items.map(({ product }) => Date.parse(product?.updated_at ?? '') || 0)
      const newest = Math.min(Math.max(0, ...changes), parts.now())
      return {
        skus: page.items.map(skuOf as (item: InventoryItem) => string),
        newest,
        total: page.total,
        has_more: page.has_more,
      }
    },
    detachInFlight: loader.detachInFlight,
  }
}

function* valuesOf(items: ReadonlyMap<string, LiveItem>): Iterable<[ItemPart, ItemValue]> {
  for (const [sku, { product, banded }] of items) {
    if (product) yield [{ part: 'product', sku }, product]
    if (banded) yield [{ part: 'stock', sku }, banded]
  }
}
