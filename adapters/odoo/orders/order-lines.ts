import { Decimal } from 'decimal.js'
import type { OrderLine } from '../../../src/ports/order.ts'
import { formatDecimal } from '../../decimal-format.ts'
import { toText } from '../client/odoo-values.ts'
import { combineTaxes } from '../pricing/combined-tax.ts'
import { goodsOf, isMixed } from './order-goods.ts'
import type { OrderSources } from './order-sources.ts'
import type { LineRow, SaleRow } from './sale-schemas.ts'

export const toOrderLines = (row: SaleRow, sources: OrderSources): OrderLine[] =>
  goodsOf(row).map((line) => toLine(line, sources, isMixed(row, sources)))

/** Returns the price of a line. In an order with prices that include tax and prices that do not, it is without tax, after the discount. */
function toPrice(line: LineRow, isMixedOrder: boolean) {
  if (!isMixedOrder) return { unit: line.price_unit, discount: line.discount }
  const quantity = new Decimal(line.product_uom_qty)
  return { unit: quantity.isZero() ? line.price_unit : new Decimal(line.price_subtotal).div(quantity), discount: 0 }
}

function toLine(line: LineRow, { formatAmount, digits, taxes, units }: OrderSources, isMixedOrder: boolean): OrderLine {
  const round = (value: Decimal.Value) => new Decimal(value).toDecimalPlaces(digits, Decimal.ROUND_HALF_UP)
  const tax = combineTaxes(line.tax_ids, taxes)
  const { unit, discount } = toPrice(line, isMixedOrder)
  const gross = round(new Decimal(unit).times(line.product_uom_qty))
  return {
    sku: (line.product_id && toText(line.product_id.default_code)) || '',
    name: line.name.split('\n')[0]!,
    quantity: formatDecimal(line.product_uom_qty),
    uom: (line.product_uom_id && units.get(line.product_uom_id)?.name) || 'Units',
    order_uom: null,
    order_quantity: null,
    unit_price: formatAmount(isMixedOrder ? new Decimal(unit).toFixed() : round(unit).toFixed()),
    list_unit_price: null,
    discount: formatAmount(round(gross.times(discount).div(100)).toFixed()),
    tax: {
      code: tax?.code ?? 'TAX',
      rate: formatDecimal(tax?.rate ?? 0),
      amount: formatAmount(round(line.price_tax).toFixed()),
    },
    line_total: formatAmount(round(line.price_total).toFixed()),
  }
}
