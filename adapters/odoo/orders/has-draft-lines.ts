import { Decimal } from 'decimal.js'
import type { OrderDraft, OrderLine, OrderTotals } from '../../../src/ports/order.ts'
import { combineTaxes, isWithoutTax } from '../pricing/combined-tax.ts'
import { includesTax } from '../pricing/prices-without-tax.ts'
import { goodsOf } from './order-goods.ts'
import type { OrderSources } from './order-sources.ts'
import type { LineRow, SaleRow } from './sale-schemas.ts'

/** True when an order has the lines of a draft: same goods, quantities and prices, in the same order, and then the delivery. */
export function hasDraftLines(
  row: SaleRow,
  { lines, delivery, totals }: OrderDraft,
  { taxes, digits }: OrderSources,
): boolean {
  const all = goodsOf(row)
  // If taxes are rounded per document, one line can have the rounding differences of all lines.
  const tolerance = new Decimal(10).pow(-digits).times(all.length)
  const own = delivery ? all.slice(0, -1) : all
  if (delivery && !new Decimal(totals.shipping_total).eq(all.at(-1)?.price_unit ?? -1)) return false
  return (
    own.length === lines.length &&
    own.every((ownLine, i) => {
      const { product_id, product_uom_qty, price_unit } = ownLine
      const line = lines[i]!
      const isSameSku = product_id !== false && product_id.default_code === line.sku
      const isSamePrice = isConverted(ownLine, totals, taxes)
        ? new Decimal(line.line_total).minus(ownLine.price_total).abs().lte(tolerance)
        : new Decimal(line.unit_price).eq(price_unit) || hasLowerPrice(line, ownLine, digits)
      return isSameSku && new Decimal(line.quantity).eq(product_uom_qty) && isSamePrice
    })
  )
}

/** Returns whether a line is discounted in Odoo by a lower unit price. */
function hasLowerPrice(
  { unit_price, quantity, discount }: OrderLine,
  { price_unit }: LineRow,
  digits: number,
): boolean {
  const amountAt = (price: Decimal.Value) =>
    new Decimal(price).times(quantity).toDecimalPlaces(digits, Decimal.ROUND_HALF_UP)
  return new Decimal(discount).gt(0) && amountAt(price_unit).eq(amountAt(unit_price).minus(discount))
}

/** Returns whether the draft has a price without tax for a line whose price in Odoo includes tax. */
const isConverted = ({ tax_ids }: LineRow, { tax_included }: OrderTotals, taxes: OrderSources['taxes']) => {
  const tax = combineTaxes(tax_ids, taxes)
  return !tax_included && tax !== null && includesTax(tax) && !isWithoutTax(tax)
}
