import type { Static } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { InventoryItem, ItemParts, Stock } from '../../../src/ports/inventory.ts'
import { isRejected } from '../accounting-context.ts'
import type { Capabilities } from '../client/capabilities.ts'
import type { Rpc } from '../client/rpc.ts'
import type { TrytonSettings } from '../settings.ts'
import type { CategoryTable } from './category-table.ts'
import type { ProductPictures } from './product-pictures.ts'
import {
  chooseRecord,
  ProductRow,
  productChangedAtMs,
  productFields,
  StockRow,
  stockFields,
  toProduct,
} from './product-rows.ts'
import { skuRecordsShape as recordsOf } from './sku-records.ts'
import { type ExpectedReceipts, freeQuantityContext, readExpectedReceipts } from './stock.ts'
import type { WarehouseLocations } from './warehouses.ts'

const ProductRows = recordsOf(ProductRow)
const StockRows = recordsOf(StockRow)
type Row = Static<typeof StockRow> | ProductRow

interface Sources {
  rpc: Rpc
  settings: TrytonSettings
  abilities: Capabilities
  table(call: Call): Promise<CategoryTable>
  places(call: Call): Promise<WarehouseLocations>
  attached(skus: readonly string[], call: Call): Promise<ProductPictures | null>
}

/** Tryton also holds what a merchant never sells. */
export interface SellableItem {
  item: InventoryItem
  salable: boolean
}

/** Of fewer SKUs, the receipts are worth a question of their own only once it is known that one is out of stock. */
const MANY = 10

/**
 * Reads SKUs: product and free quantity in one call, their pictures in one beside it. The receipts of what is out of stock come after that;
 * those of many SKUs are asked for beside it, so that a system far off is not waited for twice.
 */
export function createItemReader({ rpc, settings, abilities, table, places, attached }: Sources) {
  async function rowsOf(
    skus: readonly string[],
    parts: ItemParts,
    zones: WarehouseLocations | undefined,
    call: Call,
  ): Promise<Row[]> {
    const domain = [
      ['code', 'in', skus],
      ['active', 'in', [true, false]],
    ]
    const ofProduct = async () => productFields(settings, await abilities.has('secondaryUnits', call))
    const fields = [...(parts.product ? await ofProduct() : stockFields), ...(zones ? ['quantity'] : [])]
    const params = [domain, 0, null, [['id', 'ASC']], fields]
    const context = zones && freeQuantityContext(zones)
    return parts.product
      ? rpc(ProductRows, 'product.product.search_read', params, call, context)
      : rpc(StockRows, 'product.product.search_read', params, call, context)
  }

  /** `null`: they are not open to this account, which matters only once something is out of stock. */
  async function receiptsBeside(
    skus: readonly string[],
    zones: WarehouseLocations,
    call: Call,
  ): Promise<ExpectedReceipts | null> {
    try {
      return await readExpectedReceipts(rpc, ['product.code', 'in', skus], zones, call)
    } catch (error) {
      if (isRejected(error)) return null
      throw error
    }
  }

  return async (skus: readonly string[], parts: ItemParts, call: Call): Promise<SellableItem[]> => {
    if (skus.length === 0) return []
    const [zones, nodes] = await Promise.all([
      parts.stock ? places(call) : undefined,
      parts.product ? table(call) : undefined,
    ])
    const [rows, pictures, beside] = await Promise.all([
      rowsOf(skus, parts, zones, call),
      parts.product ? attached(skus, call) : null,
      zones && skus.length >= MANY ? receiptsBeside(skus, zones, call) : null,
    ])
    const records = Map.groupBy(rows, (row) => row.code)
    const chosen = new Map([...records].map(([sku, rows]) => [sku, chooseRecord(rows)]))
    const out = [...chosen.values()].filter(isOut).map(({ id }) => id)
    const receipts =
      zones && out.length > 0 && !beside?.whole
        ? await readExpectedReceipts(rpc, ['product', 'in', out], zones, call)
        : beside
    return skus.flatMap((sku) => {
      const row = chosen.get(sku)
      if (row === undefined) return []
      const item: InventoryItem = { sku }
      if (nodes && isProduct(row)) {
        const all = records.get(sku)!.filter(isProduct)
        const updatedAt = Math.max(productChangedAtMs(all), pictures?.changedAt(all) ?? 0)
        item.product = toProduct(row, { updatedAt, table: nodes, media: pictures?.mediaOf(row) ?? null }, settings)
      }
      if (zones) item.stock = toStock(row, (isOut(row) && receipts?.of(row.id)) || [])
      return [{ item, salable: Boolean(row.salable) }]
    })
  }
}

const isOut = ({ quantity }: Row) => quantity !== undefined && quantity <= 0
const isProduct = (row: Row): row is ProductRow => 'name' in row

/** A service has no stock. */
function toStock(row: Row, expected: Stock['expected']): Stock | null {
  return row.type === 'service' || row.quantity === undefined ? null : { available: row.quantity, expected }
}
