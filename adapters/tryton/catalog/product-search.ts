import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { InventoryPort, ItemPage, ItemParts, ProductQuery, SkuListener } from '../../../src/ports/inventory.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import type { TrytonSettings } from '../settings.ts'
import type { createCategoryTableReader } from './category-and-tag-table.ts'
import type { createItemReader } from './item-reader.ts'
import { createProductChangeReader } from './product-changes.ts'
import { onSaleDomain, toSearchDomain } from './search-domain.ts'

const CodeRows = responseSchema(Type.Array(Type.Object({ code: Type.String() })))
const Count = responseSchema(Type.Integer())
const EMPTY_PAGE: ItemPage = { items: [], total: 0, has_more: false }

export interface ProductSearchParts {
  rpc: Rpc
  settings: TrytonSettings
  readCategoryTable: ReturnType<typeof createCategoryTableReader>
  readSellableItems: ReturnType<typeof createItemReader>
  nowMs: () => number
}

/** Returns the search of the inventory port: products on sale, or the products that changed since a time. */
export function createProductSearch(parts: ProductSearchParts): InventoryPort['search'] {
  const { rpc, settings, readCategoryTable, readSellableItems, nowMs } = parts
  const readChangedSkus = createProductChangeReader(rpc, nowMs)

  const readItems = async (skus: readonly string[], parts: ItemParts, call: Call) =>
    (await readSellableItems(skus, parts, call)).map(({ item }) => item)

  /**
   * Searches products on sale. `onSkus` receives the SKUs of the page first. Then the items are read, with the inactive
   * records that share a SKU. The count runs in parallel.
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
    const [{ items, end }, total] = await Promise.all([readPage(), countProducts])
    return { items, total, has_more: end < total }
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

  return (query, parts, call, onSkus) =>
    query.updated_since === undefined
      ? searchOnSale(query, parts, call, onSkus)
      : readChangesPage({ ...query, updated_since: query.updated_since }, parts, call)
}
