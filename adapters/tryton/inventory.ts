import { Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { HttpClient, MerchantFacts } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import type { InventoryPort, ItemPage, ItemParts, ProductQuery, SkuListener } from '../../src/ports/inventory.ts'
import { responseSchema } from '../../src/upstream/response-schema.ts'
import { LATE_COMMIT_SECONDS } from './accounting-context.ts'
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
import { MAX_LIST_LAG_MS } from './client/change-list-cache.ts'
import { createRpc } from './client/rpc.ts'
import type { TrytonSettings } from './settings.ts'

const Codes = responseSchema(Type.Array(Type.Object({ code: Type.String() })))
const Count = responseSchema(Type.Integer())
const MAX_SKUS = 50
const STOCK: ItemParts = { product: false, stock: true }
const nothing: ItemPage = { items: [], total: 0, has_more: false }

export function connectInventory(settings: TrytonSettings, client: HttpClient, facts: MerchantFacts): InventoryPort {
  const now = () => facts.now().getTime()
  const rpc = createRpc(settings, client, now)
  const table = createCategoryTableReader(settings, rpc, now)
  const places = createWarehouseReader(settings, rpc, now)
  const countsOf = createCategoryCountReader(rpc, now)
  const changed = createProductChangeReader(rpc, now)
  const abilities = createCapabilities(rpc, now)
  const attached = createProductPictureReader(rpc, facts, settings.pictures)
  const itemsOf = createItemReader({ rpc, settings, abilities, table, places, attached })

  const whole = async (skus: readonly string[], parts: ItemParts, call: Call) =>
    (await itemsOf(skus, parts, call)).map(({ item }) => item)

  /** The page's SKUs are named first; then they are read, with the retired records that share one. Meanwhile the count is taken. */
  async function search(query: ProductQuery, parts: ItemParts, call: Call, coming?: SkuListener): Promise<ItemPage> {
    const filters = toSearchDomain(query, await table(call), settings)
    if (filters === null) return nothing
    const domain = [...onSaleDomain, ...filters]
    const order = [
      ['code', 'ASC'],
      ['id', 'ASC'],
    ]
    const read = async () => {
      const params = [domain, query.offset, query.limit, order, ['code']]
      const skus = (await rpc(Codes, 'product.product.search_read', params, call)).map((row) => row.code)
      coming?.(skus)
      return { items: await whole(skus, parts, call), end: query.offset + skus.length }
    }
    const count = rpc(Count, 'product.product.search_count', [domain], call)
    const [{ items, end }, total] = await Promise.all([read(), count])
    return { items, total, has_more: end < total }
  }

  /** Here a product that is no longer for sale comes too, as one that is not active. */
  async function changesPage(
    query: ProductQuery & { updated_since: string },
    parts: ItemParts,
    call: Call,
  ): Promise<ItemPage> {
    const filters = toSearchDomain(query, await table(call), settings)
    if (filters === null) return nothing
    const skus = await changed(Date.parse(query.updated_since), filters, query.offset, call)
    const end = query.offset + query.limit
    return {
      items: await whole(skus.slice(query.offset, end), parts, call),
      total: skus.length,
      has_more: end < skus.length,
    }
  }

  const items = async (skus: readonly string[], parts: ItemParts, call: Call) => {
    const found = await itemsOf([...new Set(skus)], parts, call)
    return found.filter(({ salable }) => salable).map(({ item }) => item)
  }

  return {
    maxSkus: MAX_SKUS,
    watermarkOverlapSeconds: LATE_COMMIT_SECONDS + MAX_LIST_LAG_MS / 1_000,
    search(query, parts, call, coming) {
      if (query.vehicle_id !== undefined)
        return Promise.reject(new UpstreamError('not_configured', 'vehicles are not read from Tryton'))
      return query.updated_since === undefined
        ? search(query, parts, call, coming)
        : changesPage({ ...query, updated_since: query.updated_since }, parts, call)
    },
    items,
    picture: createPictureReader(rpc, settings.pictures),
    stockChanges: createStockChangeFeed(rpc, (skus, call) => items(skus, STOCK, call), MAX_SKUS, now),
    async categories(call) {
      const [nodes, count] = await Promise.all([table(call), countsOf(call)])
      return [...nodes.categories.values()].map((node) => toCategory(node, count(node.id, nodes.categories)))
    },
    async tags(call) {
      const [nodes, count] = await Promise.all([table(call), countsOf(call)])
      if (nodes.tags === null) throw new UpstreamError('not_configured', 'there is no root category for tags')
      const tags = nodes.tags
      return [...tags.values()].map((node) => toTag(node, count(node.id, null)))
    },
  }
}
