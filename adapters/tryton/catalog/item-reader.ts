import type { Static } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { InventoryItem, ItemParts, Stock } from '../../../src/ports/inventory.ts'
import type { Capabilities } from '../client/capabilities.ts'
import type { Rpc } from '../client/rpc.ts'
import { isRejected } from '../client/rpc-errors.ts'
import type { TrytonSettings } from '../settings.ts'
import { readBranchStock } from './branch-stock.ts'
import type { CategoryTable } from './category-and-tag-table.ts'
import { chooseSkuRecord } from './choose-sku-record.ts'
import { type ExpectedReceipts, readExpectedReceipts } from './expected-receipts.ts'
import { productChangedAtMs, toProduct } from './product-mapping.ts'
import type { ProductPictures } from './product-pictures.ts'
import { ProductRow, productFields, StockRow, stockFields } from './product-schemas.ts'
import { skuRecordsShape as recordsOf } from './sku-record-schema.ts'
import type { WarehouseLocations } from './warehouse-locations.ts'
import { freeQuantityContext } from './warehouse-locations.ts'

const ProductRows = recordsOf(ProductRow)
const StockRows = recordsOf(StockRow)
type Row = Static<typeof StockRow> | ProductRow

interface Sources {
  rpc: Rpc
  settings: TrytonSettings
  capabilities: Capabilities
  readCategoryTable(call: Call): Promise<CategoryTable>
  readWarehouses(call: Call): Promise<WarehouseLocations>
  readPictures(skus: readonly string[], call: Call): Promise<ProductPictures | null>
}

/** An item, and whether the merchant sells it: Tryton also holds goods that are never sold. */
export interface SellableItem {
  item: InventoryItem
  salable: boolean
}

/** With fewer SKUs, receipts are read only after one is known to be out of stock. */
const EARLY_RECEIPTS_MIN_SKUS = 10

/**
 * Returns a function that reads SKUs: product and free quantity in one call, pictures in another one in parallel.
 * Receipts are read for what is out of stock. With many SKUs they are read in parallel too, which saves a round trip.
 */
export function createItemReader({
  rpc,
  settings,
  capabilities,
  readCategoryTable,
  readWarehouses,
  readPictures,
}: Sources) {
  async function readRows(
    skus: readonly string[],
    parts: ItemParts,
    warehouses: WarehouseLocations | undefined,
    call: Call,
  ): Promise<Row[]> {
    const domain = skuDomain(skus)
    const readProductFields = async () => productFields(settings, await capabilities.has('secondaryUnits', call))
    const fields = [...(parts.product ? await readProductFields() : stockFields), ...(warehouses ? ['quantity'] : [])]
    const params = [domain, 0, null, [['id', 'ASC']], fields]
    const context = warehouses && freeQuantityContext(warehouses)
    return parts.product
      ? rpc(ProductRows, 'product.product.search_read', params, call, context)
      : rpc(StockRows, 'product.product.search_read', params, call, context)
  }

  /** Returns `null` when the account may not read receipts, which matters only once something is out of stock. */
  async function readReceiptsIfAllowed(
    skus: readonly string[],
    warehouses: WarehouseLocations,
    call: Call,
  ): Promise<ExpectedReceipts | null> {
    try {
      return await readExpectedReceipts(rpc, ['product.code', 'in', skus], warehouses, call)
    } catch (error) {
      if (isRejected(error)) return null
      throw error
    }
  }

  return async (skus: readonly string[], parts: ItemParts, call: Call): Promise<SellableItem[]> => {
    if (skus.length === 0) return []
    const [warehouses, categoryTable] = await Promise.all([
      parts.stock ? readWarehouses(call) : undefined,
      parts.product ? readCategoryTable(call) : undefined,
    ])
    const [rows, pictures, receiptsOfAll, branchesOf] = await Promise.all([
      readRows(skus, parts, warehouses, call),
      parts.product ? readPictures(skus, call) : null,
      warehouses && skus.length >= EARLY_RECEIPTS_MIN_SKUS ? readReceiptsIfAllowed(skus, warehouses, call) : null,
      warehouses && readBranchStock(rpc, skuDomain(skus), warehouses, call),
    ])
    const records = Map.groupBy(rows, (row) => row.code)
    const chosenBySku = new Map([...records].map(([sku, rows]) => [sku, chooseSkuRecord(rows)]))
    const outOfStockIds = [...chosenBySku.values()].filter(isOutOfStock).map(({ id }) => id)
    const receipts =
      warehouses && outOfStockIds.length > 0 && !receiptsOfAll?.isComplete
        ? await readExpectedReceipts(rpc, ['product', 'in', outOfStockIds], warehouses, call)
        : receiptsOfAll
    return skus.flatMap((sku) => {
      const row = chosenBySku.get(sku)
      if (row === undefined) return []
      const item: InventoryItem = { sku }
      if (categoryTable && isProduct(row)) {
        const productRows = records.get(sku)!.filter(isProduct)
        const updatedAtMs = Math.max(productChangedAtMs(productRows), pictures?.lastChangedAtMs(productRows) ?? 0)
        item.product = toProduct(row, { updatedAtMs, categoryTable, media: pictures?.mediaOf(row) ?? null }, settings)
      }
      if (warehouses) {
        const expected = (isOutOfStock(row) && receipts?.receiptsOf(row.id)) || []
        item.stock = toStock(row, expected, branchesOf?.(row.id))
      }
      return [{ item, salable: Boolean(row.salable) }]
    })
  }
}

const skuDomain = (skus: readonly string[]) => [
  ['code', 'in', skus],
  ['active', 'in', [true, false]],
]
const isOutOfStock = ({ quantity }: Row) => quantity !== undefined && quantity <= 0
const isProduct = (row: Row): row is ProductRow => 'name' in row

/** Returns the stock of a product. Nobody counts a service. */
function toStock(row: Row, expected: Stock['expected'], branches: Stock['branches']): Stock | null {
  if (row.type === 'service') return { available: 0, expected: [], untracked: true }
  return row.quantity === undefined ? null : { available: row.quantity, expected, ...(branches && { branches }) }
}
