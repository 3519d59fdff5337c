import { Decimal } from 'decimal.js'
import type { Order, OrderLine, TaxTotal } from '../../../src/ports/order.ts'
import { formatDecimal } from '../../amount-format.ts'
import { currencyDigits } from '../accounting-context.ts'
import { computeLineDiscount } from '../pricing/line-discount.ts'
import { toTaxLabel } from '../pricing/sku-taxes.ts'
import { combinedTaxRate } from '../pricing/tax-table.ts'
import type { OrderMappingContext } from './order-mapping.ts'
import type { OrderRecords, SaleLineRow } from './order-records.ts'
import { priceAfterPromotions, priceBeforePromotions } from './sale-line-comparison.ts'

/** Lines and totals as Tryton has them, for an order that nobody placed here, or that its people changed. */
export function toOrderLinesAndTotals(
  { sale, lines: rows }: OrderRecords,
  viewing: OrderMappingContext,
): Pick<Order, 'lines' | 'promotions' | 'totals'> {
  const { amount } = viewing
  const lines = rows.map((row) => lineOf(row, viewing))
  const groups = Map.groupBy(lines, ({ tax }) => `${tax.code} ${tax.rate}`)
  const sum = (values: string[]) => amount(Decimal.sum(0, ...values).toFixed())
  const off = sum(lines.map(({ discount }) => discount))
  const taxes = [...groups.values()].map((group): TaxTotal => {
    const { code, rate } = group[0]!.tax
    const base = sum(group.map(({ line_total, tax }) => new Decimal(line_total).minus(tax.amount).toFixed()))
    return { code, name: code, rate, base, amount: sum(group.map(({ tax }) => tax.amount)) }
  })
  return {
    lines,
    promotions: [],
    totals: {
      subtotal: amount(new Decimal(sale.untaxed_amount.decimal).plus(off).toFixed()),
      ...{ discount_total: off, tax_total: amount(sale.tax_amount.decimal), shipping_total: amount('0') },
      ...{ total: amount(sale.total_amount.decimal), taxes, tax_included: false },
    },
  }
}

function lineOf(row: SaleLineRow, { amount, taxes, today }: OrderMappingContext): OrderLine {
  const sku = row['product.']?.code ?? ''
  const rate = combinedTaxRate(row.taxes, taxes, today) ?? '0'
  // What people changed after the quotation is no discount below 0.
  const isCheaper = (row.quantity ?? 0) > 0 && new Decimal(priceBeforePromotions(row)).gt(priceAfterPromotions(row))
  const price = isCheaper ? priceBeforePromotions(row) : priceAfterPromotions(row)
  const off = computeLineDiscount(
    { price, quantity: String(row.quantity ?? 0) },
    priceAfterPromotions(row),
    currencyDigits({ amount }),
  )
  const tax = new Decimal(row.amount.decimal)
    .times(rate)
    .toDecimalPlaces(currencyDigits({ amount }), Decimal.ROUND_HALF_EVEN)
  return {
    sku,
    name: row.description || row['product.']?.name || sku,
    quantity: formatDecimal(row.quantity ?? 0),
    uom: row['unit.']?.symbol ?? '',
    ...{ order_uom: null, order_quantity: null },
    unit_price: amount(price),
    ...{ list_unit_price: null, discount: amount(off.toFixed()) },
    tax: { code: toTaxLabel(row.taxes, taxes).code, rate: formatDecimal(rate), amount: amount(tax.toFixed()) },
    line_total: amount(tax.plus(row.amount.decimal).toFixed()),
  }
}
