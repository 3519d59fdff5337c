import { Decimal } from 'decimal.js'
import type { OrderLine } from '../../../src/ports/order.ts'
import { computeLineDiscount } from '../pricing/line-discount.ts'
import type { SaleLineRow } from './order-records.ts'

/** The price before promotions: a quotation keeps it beside the one that they made. */
export const priceBeforePromotions = (row: SaleLineRow): string =>
  (row.draft_unit_price ?? row.unit_price)?.decimal ?? '0'
export const priceAfterPromotions = (row: SaleLineRow): string => row.unit_price?.decimal ?? '0'

/** Whether the lines of a sale are those of an order: goods, quantities, prices, and what promotions took off. */
export function hasSameLines(rows: readonly SaleLineRow[], given: readonly OrderLine[], digits: number): boolean {
  return rows.length === given.length && given.every((line, i) => isSold(rows[i]!, line, digits))
}

function isSold(row: SaleLineRow, { sku, quantity, unit_price, discount }: OrderLine, digits: number): boolean {
  if (row['product.']?.code !== sku || !new Decimal(row.quantity ?? 0).eq(quantity)) return false
  if (!new Decimal(priceBeforePromotions(row)).eq(unit_price)) return false
  return computeLineDiscount({ price: unit_price, quantity }, priceAfterPromotions(row), digits).eq(discount)
}
