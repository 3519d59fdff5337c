import { Decimal } from 'decimal.js'
import type { OrderLine } from '../../../src/ports/order.ts'
import { takenOff } from '../pricing/line-discount.ts'
import type { LineRow } from './order-records.ts'

/** The price before promotions: a quotation keeps it beside the one that they made. */
export const ownPrice = (row: LineRow): string => (row.draft_unit_price ?? row.unit_price)?.decimal ?? '0'
export const lastPrice = (row: LineRow): string => row.unit_price?.decimal ?? '0'

/** Whether the lines of a sale are those of an order: goods, quantities, prices, and what promotions took off. */
export function areSold(rows: readonly LineRow[], given: readonly OrderLine[], digits: number): boolean {
  return rows.length === given.length && given.every((line, i) => isSold(rows[i]!, line, digits))
}

function isSold(row: LineRow, { sku, quantity, unit_price, discount }: OrderLine, digits: number): boolean {
  if (row['product.']?.code !== sku || !new Decimal(row.quantity ?? 0).eq(quantity)) return false
  if (!new Decimal(ownPrice(row)).eq(unit_price)) return false
  return takenOff({ price: unit_price, quantity }, lastPrice(row), digits).eq(discount)
}
