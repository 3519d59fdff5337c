import { Decimal } from 'decimal.js'
import type { Order, OrderLine, TaxTotal } from '../../../src/ports/order.ts'
import { plain } from '../../amount-format.ts'
import { takenOff } from '../pricing/line-discount.ts'
import { digitsOf } from '../accounting-context.ts'
import type { LineRow, OrderRecords } from './order-records.ts'
import type { Viewing } from './order-mapping.ts'
import { named } from '../pricing/sku-taxes.ts'
import { lastPrice, ownPrice } from './sale-line-comparison.ts'
import { rateOf } from '../pricing/tax-table.ts'

/** Lines and totals as Tryton has them, for an order that nobody placed here, or that its people changed. */
export function counted(
  { sale, lines: rows }: OrderRecords,
  viewing: Viewing,
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

function lineOf(row: LineRow, { amount, taxes, today }: Viewing): OrderLine {
  const sku = row['product.']?.code ?? ''
  const rate = rateOf(row.taxes, taxes, today) ?? '0'
  // What people changed after the quotation is no discount below 0.
  const isCheaper = (row.quantity ?? 0) > 0 && new Decimal(ownPrice(row)).gt(lastPrice(row))
  const price = isCheaper ? ownPrice(row) : lastPrice(row)
  const off = takenOff({ price, quantity: String(row.quantity ?? 0) }, lastPrice(row), digitsOf({ amount }))
  const tax = new Decimal(row.amount.decimal).times(rate).toDecimalPlaces(digitsOf({ amount }), Decimal.ROUND_HALF_EVEN)
  return {
    sku,
    name: row.description || row['product.']?.name || sku,
    quantity: plain(row.quantity ?? 0),
    uom: row['unit.']?.symbol ?? '',
    ...{ order_uom: null, order_quantity: null },
    unit_price: amount(price),
    ...{ list_unit_price: null, discount: amount(off.toFixed()) },
    tax: { code: named(row.taxes, taxes).code, rate: plain(rate), amount: amount(tax.toFixed()) },
    line_total: amount(tax.plus(row.amount.decimal).toFixed()),
  }
}
