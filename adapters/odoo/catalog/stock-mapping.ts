import type { Stock } from '../../../src/ports/inventory.ts'
import type { StockRow } from './product-schemas.ts'

/** Odoo does not count services, nor goods that are not storable. */
export const isTracked = (row: Pick<StockRow, 'type' | 'is_storable'>): boolean =>
  row.is_storable ?? row.type === 'product'

/** Returns the stock of a product. */
export function toStock(row: StockRow, expected: Stock['expected'], branches?: Stock['branches']): Stock | null {
  if (!isTracked(row)) return { available: 0, expected: [], untracked: true }
  if (row.free_qty === undefined) return null
  const policy = row.allow_out_of_stock_order
  return {
    available: row.free_qty,
    expected,
    ...(policy !== undefined && { sell_when_out: policy }),
    ...(branches && { branches }),
  }
}
