import type { InventoryPort } from '../../src/ports/inventory.ts'
import { MAX_LIST_LAG_MS } from '../change-list-cache.ts'
import { toCategory } from './catalog/category-tag-and-unit-tables.ts'
import { createItemReader } from './catalog/item-reader.ts'
import { createPictureReader } from './catalog/picture-reader.ts'
import { createProductSearch } from './catalog/product-search.ts'
import { createStockChangeFeed } from './catalog/stock-changes.ts'
import { LATE_COMMIT_SECONDS } from './client/late-commit.ts'
import type { OdooContext } from './context.ts'

const MAX_SKUS = 200

export function connectInventory(context: OdooContext): InventoryPort {
  const { rpc, readCatalogTables, nowMs } = context
  const items = createItemReader(context)
  return {
    maxSkus: MAX_SKUS,
    watermarkOverlapSeconds: LATE_COMMIT_SECONDS + MAX_LIST_LAG_MS / 1_000,
    search: createProductSearch(context, items, nowMs),
    items: items.readItems,
    picture: createPictureReader(rpc),
    stockChanges: createStockChangeFeed(context, items.readItems, nowMs),
    categories: async (call) => [...(await readCatalogTables(call)).categories.values()].map(toCategory),
    tags: async (call) =>
      [...(await readCatalogTables(call)).tags.values()].map(({ tag, name }) => ({ tag, name, count: null })),
  }
}
