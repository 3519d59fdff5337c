import { Decimal } from 'decimal.js'
import type { Order, OrderLine, TaxTotal } from '../../../src/ports/order.ts'
import { formatDecimal } from '../../decimal-format.ts'
import { currencyDigits } from '../currency-digits.ts'
import { computeLineDiscount } from '../pricing/line-discount.ts'
import { combinedTaxRate, toTaxLabel } from '../pricing/tax-table.ts'
import type { OrderMappingContext } from './order-mapping.ts'
import type { OrderRecords, SaleLineRow } from './order-record-reader.ts'
import { priceAfterPromotions, priceBeforePromotions } from './sale-line-prices.ts'

/** Returns lines and totals as Tryton has them, for an order that was not placed here or was changed in Tryton. */
export function toOrderLinesAndTotals(
  { sale, lines: rows, deliveryLines }: OrderRecords,
  context: OrderMappingContext,
): Pick<Order, 'lines' | 'promotions' | 'totals'> {
  const { formatAmount } = context
  const lines = rows.map((row) => toLine(row, context))
  const deliveries = deliveryLines.map((row) => toLine(row, context))
  const groups = Map.groupBy([...lines, ...deliveries], ({ tax }) => `${tax.code} ${tax.rate}`)
  const sum = (values: string[]) => formatAmount(Decimal.sum(0, ...values).toFixed())
  const discountAmount = sum(lines.map(({ discount }) => discount))
  const shipping = sum(deliveryLines.map(({ amount }) => amount.decimal))
  const taxes = [...groups.values()].map((group): TaxTotal => {
    const { code, rate } = group[0]!.tax
    const base = sum(group.map(({ line_total, tax }) => new Decimal(line_total).minus(tax.amount).toFixed()))
    return { code, name: code, rate, base, amount: sum(group.map(({ tax }) => tax.amount)) }
  })
  return {
    lines,
    promotions: [],
    totals: {
      subtotal: formatAmount(new Decimal(sale.untaxed_amount.decimal).minus(shipping).plus(discountAmount).toFixed()),
      discount_total: discountAmount,
      tax_total: formatAmount(sale.tax_amount.decimal),
      shipping_total: shipping,
      total: formatAmount(sale.total_amount.decimal),
      taxes,
      tax_included: false,
    },
  }
}

function toLine(row: SaleLineRow, { formatAmount, taxes, today }: OrderMappingContext): OrderLine {
  const sku = row['product.']?.code ?? ''
  const rate = combinedTaxRate(row.taxes, taxes, today) ?? '0'
  // A price that was raised after the quotation is not a negative discount.
  const isCheaper = (row.quantity ?? 0) > 0 && new Decimal(priceBeforePromotions(row)).gt(priceAfterPromotions(row))
  const price = isCheaper ? priceBeforePromotions(row) : priceAfterPromotions(row)
  const discountAmount = computeLineDiscount(
    { price, quantity: String(row.quantity ?? 0) },
    priceAfterPromotions(row),
    currencyDigits({ formatAmount }),
  )
  const tax = new Decimal(row.amount.decimal)
    .times(rate)
    .toDecimalPlaces(currencyDigits({ formatAmount }), Decimal.ROUND_HALF_EVEN)
  return {
    sku,
    name: row.description || row['product.']?.name || sku,
    quantity: formatDecimal(row.quantity ?? 0),
    uom: row['unit.']?.symbol ?? '',
    order_uom: null,
    order_quantity: null,
    unit_price: formatAmount(price),
    list_unit_price: null,
    discount: formatAmount(discountAmount.toFixed()),
    tax: { code: toTaxLabel(row.taxes, taxes).code, rate: formatDecimal(rate), amount: formatAmount(tax.toFixed()) },
    line_total: formatAmount(tax.plus(row.amount.decimal).toFixed()),
  }
}
