import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { InventoryItem, ItemParts } from '../../../src/ports/inventory.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { toIsoTime } from '../client/odoo-values.ts'
import { foundShape, type Search } from '../client/rpc.ts'
import type { OdooContext } from '../context.ts'
import { createBranchStockReader } from './branch-stock.ts'
import { chooseSkuRecord } from './choose-sku-record.ts'
import { readExpectedReceipts } from './expected-receipts.ts'
import { itemSpecification, type RowParts } from './item-specification.ts'
import { toProduct } from './product-mapping.ts'
import { AnyRow, isProductRow, latestWrite } from './product-schemas.ts'
import { isTracked, toStock } from './stock-mapping.ts'

export type Row = Static<typeof AnyRow>
const Rows = foundShape(AnyRow)
const RowList = responseSchema(Type.Array(AnyRow))

export interface ItemReader {
  /** Reads product rows, with the quantities of the shop's warehouses. */
  searchRows(
    search: Omit<Search, 'specification'>,
    parts: RowParts,
    call: Call,
  ): Promise<{ length: number; records: Row[] }>
  /**
   * Returns the items of these rows, one per SKU, in the order in which SKUs occur. `changedAt` has the latest change of
   * SKUs with records besides these rows.
   */
  toItems(
    rows: readonly Row[],
    parts: ItemParts,
    call: Call,
    changedAt?: ReadonlyMap<string, string>,
  ): Promise<InventoryItem[]>
  /** Returns the items of SKUs, in their order. */
  readItems(skus: readonly string[], parts: ItemParts, call: Call): Promise<InventoryItem[]>
}

export function createItemReader(context: OdooContext): ItemReader {
  const { rpc, settings, facts } = context
  const readBranchStock = createBranchStockReader(context)

  async function searchRows(search: Omit<Search, 'specification'>, parts: RowParts, call: Call) {
    const [fields, warehouses] = await Promise.all([
      context.readOptionalFields('product.product', call),
      parts.stock ? context.readWarehouses(call) : null,
    ])
    const specification = itemSpecification(parts, fields)
    const readContext = { bin_size: true, ...warehouses?.context }
    return rpc.search(Rows, 'product.product', { ...search, specification, context: readContext }, call)
  }

  const toItems: ItemReader['toItems'] = async (rows, parts, call, changedAt) => {
    const recordsBySku = Map.groupBy(rows, (row) => row.default_code)
    const chosen = [...recordsBySku.values()].map((records) => chooseSkuRecord(records))
    const outOfStockIds = parts.stock ? chosen.filter(awaitsReceipt).map(({ id }) => id) : []
    const [tables, branchesOf, receipts] = await Promise.all([
      parts.product ? context.readCatalogTables(call) : null,
      parts.stock
        ? readBranchStock(
            chosen.filter(isTracked).map(({ id }) => id),
            call,
          )
        : null,
      outOfStockIds.length > 0 ? readReceipts(outOfStockIds, call) : null,
    ])
    return chosen.map((row) => {
      const item: InventoryItem = { sku: row.default_code }
      if (tables && isProductRow(row)) {
        const others = changedAt?.get(row.default_code)
        const records = recordsBySku.get(row.default_code)!
        const updatedAt = toIsoTime(latestWrite(others ? [...records, { write_date: others }] : records))
        const publishedOnly = settings.published_only ?? false
        item.product = toProduct(row, { tables, updatedAt, publishedOnly, pictureUrls: facts.pictureUrls })
      }
      if (parts.stock) item.stock = toStock(row, receipts?.get(row.id) ?? [], branchesOf?.(row.id))
      return item
    })
  }

  async function readReceipts(productIds: readonly number[], call: Call) {
    const warehouses = await context.readWarehouses(call)
    return readExpectedReceipts(rpc, productIds, warehouses, facts.timeZone, call)
  }

  return {
    searchRows,
    toItems,
    async readItems(skus, parts, call) {
      const unique = [...new Set(skus)]
      if (unique.length === 0) return []
      const records = RowList.parse(await context.skuRows.read(unique, { ...parts, price: false }, call))
      const items = new Map((await toItems(records, parts, call)).map((item) => [item.sku, item]))
      return unique.flatMap((sku) => items.get(sku) ?? [])
    },
  }
}

const awaitsReceipt = ({ free_qty = 1, incoming_qty = 0 }: Row) => free_qty <= 0 && incoming_qty > 0
