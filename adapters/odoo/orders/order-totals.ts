import { Decimal } from 'decimal.js'
import type { OrderLine, OrderTotals, TaxTotal } from '../../../src/ports/order.ts'
import { formatDecimal } from '../../decimal-format.ts'
import { combineTaxes } from '../pricing/combined-tax.ts'
import { goodsOf, isMixed } from './order-goods.ts'
import type { OrderSources } from './order-sources.ts'
import type { SaleRow } from './sale-schemas.ts'

export function toOrderTotals(
  row: SaleRow,
  lines: readonly OrderLine[],
  { formatAmount, digits, taxes }: OrderSources,
): OrderTotals {
  const format = (value: Decimal.Value) =>
    formatAmount(new Decimal(value).toDecimalPlaces(digits, Decimal.ROUND_HALF_UP).toFixed())
  const isIncluded =
    !isMixed(row, { taxes }) && row.order_line.some(({ tax_ids }) => combineTaxes(tax_ids, taxes)?.isIncluded)
  const subtotals = lines.map(({ unit_price, quantity }) => new Decimal(unit_price).times(quantity))
  return {
    subtotal: format(Decimal.sum(0, ...subtotals)),
    discount_total: format(Decimal.sum(0, ...lines.map(({ discount }) => discount))),
    tax_total: format(row.amount_tax),
    shipping_total: format(0),
    total: format(row.amount_total),
    tax_included: isIncluded,
    taxes: toTaxTotals(row, taxes, format),
  }
}

function toTaxTotals(row: SaleRow, taxes: OrderSources['taxes'], format: (value: Decimal.Value) => string): TaxTotal[] {
  const lines = goodsOf(row)
  const groups = Map.groupBy(lines, ({ tax_ids }) => combineTaxes(tax_ids, taxes)?.code ?? 'TAX')
  return [...groups].map(([code, group]) => {
    const tax = combineTaxes(group[0]!.tax_ids, taxes)
    return {
      code,
      name: tax?.name ?? 'Tax',
      rate: formatDecimal(tax?.rate ?? 0),
      base: format(Decimal.sum(0, ...group.map(({ price_subtotal }) => price_subtotal))),
      amount: format(Decimal.sum(0, ...group.map(({ price_tax }) => price_tax))),
    }
  })
}
