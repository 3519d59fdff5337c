import { Decimal } from 'decimal.js'
import type { OrderLine } from '../../../src/ports/order.ts'
import { computeLineDiscount } from '../pricing/line-discount.ts'
import type { SaleLineRow } from './order-record-reader.ts'
import { priceAfterPromotions, priceBeforePromotions } from './sale-line-prices.ts'

/** Returns true when the lines of a sale are those of an order: goods, quantities, prices and discounts. */
export function hasSameLines(rows: readonly SaleLineRow[], orderLines: readonly OrderLine[], digits: number): boolean {
  return rows.length === orderLines.length && orderLines.every((line, i) => isSameLine(rows[i]!, line, digits))
}

/** Returns true when Tryton charges the delivery of an order at its price. */
export function hasSameDelivery(deliveryLines: readonly SaleLineRow[], shippingTotal: string): boolean {
  return Decimal.sum(0, ...deliveryLines.map(({ amount }) => amount.decimal)).eq(shippingTotal)
}

function isSameLine(row: SaleLineRow, { sku, quantity, unit_price, discount }: OrderLine, digits: number): boolean {
  if (row['product.']?.code !== sku || !new Decimal(row.quantity ?? 0).eq(quantity)) return false
  if (!new Decimal(priceBeforePromotions(row)).eq(unit_price)) return false
  return computeLineDiscount({ price: unit_price, quantity }, priceAfterPromotions(row), digits).eq(discount)
}
