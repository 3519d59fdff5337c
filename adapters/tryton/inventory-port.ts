import { UpstreamError } from '../../src/errors.ts'
import type { Call } from '../../src/ports/call.ts'
import type { InventoryPort, ItemParts } from '../../src/ports/inventory.ts'
import { MAX_LIST_LAG_MS } from '../change-list-cache.ts'
import { createCategoryTableReader, toCategory, toTag } from './catalog/category-and-tag-table.ts'
import { createCategoryCountReader } from './catalog/category-counts.ts'
import { createItemReader } from './catalog/item-reader.ts'
import { createPictureReader } from './catalog/picture-reader.ts'
import { createProductPictureReader } from './catalog/product-pictures.ts'
import { createProductSearch } from './catalog/product-search.ts'
import { createStockChangeFeed } from './catalog/stock-changes.ts'
import { LATE_COMMIT_SECONDS } from './client/late-commit.ts'
import type { TrytonContext } from './context.ts'

const MAX_SKUS = 50
const STOCK_ONLY: ItemParts = { product: false, stock: true }

export function connectInventory({ rpc, settings, facts, capabilities, readWarehouses }: TrytonContext): InventoryPort {
  const nowMs = () => facts.now().getTime()
  const readCategoryTable = createCategoryTableReader(settings, rpc, nowMs)
  const readCategoryCounts = createCategoryCountReader(rpc, nowMs)
  const readPictures = createProductPictureReader(rpc, facts, settings.pictures)
  const readSellableItems = createItemReader({
    rpc,
    settings,
    capabilities,
    readCategoryTable,
    readWarehouses,
    readPictures,
  })

  const searchProducts = createProductSearch({ rpc, settings, readCategoryTable, readSellableItems, nowMs })

  const readSalableItems = async (skus: readonly string[], parts: ItemParts, call: Call) => {
    const sellable = await readSellableItems([...new Set(skus)], parts, call)
    return sellable.filter(({ salable }) => salable).map(({ item }) => item)
  }

  return {
    maxSkus: MAX_SKUS,
    watermarkOverlapSeconds: LATE_COMMIT_SECONDS + MAX_LIST_LAG_MS / 1_000,
    search(query, parts, call, onSkus) {
      if (query.vehicle_id !== undefined)
        return Promise.reject(new UpstreamError('not_configured', 'the Tryton adapter does not support vehicles'))
      return searchProducts(query, parts, call, onSkus)
    },
    items: readSalableItems,
    picture: createPictureReader(rpc, settings.pictures),
    stockChanges: createStockChangeFeed(rpc, (skus, call) => readSalableItems(skus, STOCK_ONLY, call), MAX_SKUS, nowMs),
    async categories(call) {
      const [categoryTable, countProducts] = await Promise.all([readCategoryTable(call), readCategoryCounts(call)])
      return [...categoryTable.categories.values()].map((node) =>
        toCategory(node, countProducts(node.id, categoryTable.categories)),
      )
    },
    async tags(call) {
      const [categoryTable, countProducts] = await Promise.all([readCategoryTable(call), readCategoryCounts(call)])
      if (categoryTable.tags === null)
        throw new UpstreamError('not_configured', 'the root category of tags does not exist')
      const tags = categoryTable.tags
      return [...tags.values()].map((node) => toTag(node, countProducts(node.id, null)))
    },
  }
}
