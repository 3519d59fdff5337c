import { Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { MerchantFacts } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import type { HttpClient } from '../../src/ports/http-client.ts'
import type { InventoryPort, ItemPage, ItemParts, ProductQuery, SkuListener } from '../../src/ports/inventory.ts'
import { responseSchema } from '../../src/upstream/response-schema.ts'
import { createCategoryCountReader } from './catalog/category-counts.ts'
import { createCategoryTableReader, toCategory, toTag } from './catalog/category-table.ts'
import { createItemReader } from './catalog/item-reader.ts'
import { createPictureReader } from './catalog/picture-content.ts'
import { createProductChangeReader } from './catalog/product-changes.ts'
import { createProductPictureReader } from './catalog/product-pictures.ts'
import { onSaleDomain, toSearchDomain } from './catalog/search-domain.ts'
import { createStockChangeFeed } from './catalog/stock-changes.ts'
import { createWarehouseReader } from './catalog/warehouses.ts'
import { createCapabilities } from './client/capabilities.ts'
import { LATE_COMMIT_SECONDS } from './client/change-feed.ts'
import { MAX_LIST_LAG_MS } from './client/change-list-cache.ts'
import { createRpc } from './client/rpc.ts'
import type { TrytonSettings } from './settings.ts'

const CodeRows = responseSchema(Type.Array(Type.Object({ code: Type.String() })))
const Count = responseSchema(Type.Integer())
const MAX_SKUS = 50
const STOCK_ONLY: ItemParts = { product: false, stock: true }
const EMPTY_PAGE: ItemPage = { items: [], total: 0, has_more: false }

export function connectInventory(settings: TrytonSettings, client: HttpClient, facts: MerchantFacts): InventoryPort {
  const nowMs = () => facts.now().getTime()
  const rpc = createRpc(settings, client, nowMs)
  const readCategoryTable = createCategoryTableReader(settings, rpc, nowMs)
  const readWarehouses = createWarehouseReader(settings, rpc, nowMs)
  const readCategoryCounts = createCategoryCountReader(rpc, nowMs)
  const readChangedSkus = createProductChangeReader(rpc, nowMs)
  const capabilities = createCapabilities(rpc, nowMs)
  const readPictures = createProductPictureReader(rpc, facts, settings.pictures)
  const readSellableItems = createItemReader({
    rpc,
    settings,
    capabilities,
    readCategoryTable,
    readWarehouses,
    readPictures,
  })

  const readItems = async (skus: readonly string[], parts: ItemParts, call: Call) =>
    (await readSellableItems(skus, parts, call)).map(({ item }) => item)

  /**
   * Searches products on sale. The SKUs of the page are reported first, and then read with the inactive records that
   * share a SKU. The count runs in parallel.
   */
  async function searchOnSale(
    query: ProductQuery,
    parts: ItemParts,
    call: Call,
    onSkus?: SkuListener,
  ): Promise<ItemPage> {
    const filters = toSearchDomain(query, await readCategoryTable(call), settings)
    if (filters === null) return EMPTY_PAGE
    const domain = [...onSaleDomain, ...filters]
    const order = [
      ['code', 'ASC'],
      ['id', 'ASC'],
    ]
    const readPage = async () => {
      const params = [domain, query.offset, query.limit, order, ['code']]
      const skus = (await rpc(CodeRows, 'product.product.search_read', params, call)).map((row) => row.code)
      onSkus?.(skus)
      return { items: await readItems(skus, parts, call), end: query.offset + skus.length }
    }
    const countProducts = rpc(Count, 'product.product.search_count', [domain], call)
    const [{ items: readSalableItems, end }, total] = await Promise.all([readPage(), countProducts])
    return { items: readSalableItems, total, has_more: end < total }
  }

  /** Reads a page of changed products. One that is no longer on sale is included as inactive. */
  async function readChangesPage(
    query: ProductQuery & { updated_since: string },
    parts: ItemParts,
    call: Call,
  ): Promise<ItemPage> {
    const filters = toSearchDomain(query, await readCategoryTable(call), settings)
    if (filters === null) return EMPTY_PAGE
    const skus = await readChangedSkus(Date.parse(query.updated_since), filters, query.offset, call)
    const end = query.offset + query.limit
    return {
      items: await readItems(skus.slice(query.offset, end), parts, call),
      total: skus.length,
      has_more: end < skus.length,
    }
  }

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
      return query.updated_since === undefined
        ? searchOnSale(query, parts, call, onSkus)
        : readChangesPage({ ...query, updated_since: query.updated_since }, parts, call)
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
