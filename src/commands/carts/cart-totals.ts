import { Decimal } from 'decimal.js'
import { UpstreamError } from '../../errors.ts'
import type { Tax } from '../../ports/accounting.ts'
import type { OrderTotals, TaxTotal } from '../../ports/order.ts'
import type { Amount } from '../../ports/pricing.ts'

/** Wide enough that a product of a unit price and a quantity is exact, so that each amount is rounded once. */
const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP })

/** A line as it is counted. `discount` is what promotions take off all of it. */
export interface TotalsLine {
  unit_price: Amount
  quantity: string
  discount: Amount
  tax: Omit<Tax, 'sku'>
}

export interface CartTotals {
  /** One for each line, in their order. */
  lines: { discount: Amount; tax: Amount; line_total: Amount }[]
  totals: OrderTotals
}

/**
 * What lines cost together. Every line is rounded half up to the currency's digits, and every total is a sum of lines:
 * what a reader adds up by hand is what stands below. Throws UpstreamError for a discount or a price that cannot be.
 */
export function computeCartTotals(lines: readonly TotalsLine[], taxIncluded: boolean, digits: number): CartTotals {
  const round = (value: Decimal) => value.toDecimalPlaces(digits)
  const written = (value: Decimal) => value.toFixed(digits)
  const sum = (values: readonly Decimal[]) => written(values.reduce((total, value) => total.plus(value), new Exact(0)))

  const counted = lines.map(({ unit_price, quantity, discount, tax }) => {
    const gross = round(new Exact(unit_price).times(quantity))
    const off = new Exact(discount)
    if (gross.lt(0) || off.lt(0) || off.gt(gross) || off.decimalPlaces() > digits)
      throw new UpstreamError('invalid', `a discount of ${discount} on a line of ${gross}`, { system: 'pricing' })
    const rest = gross.minus(off)
    const rate = new Exact(tax.rate)
    if (rate.lt(0)) throw new UpstreamError('invalid', `a tax rate of ${tax.rate}`, { system: 'accounting' })
    const amount = round(taxIncluded ? rest.minus(rest.div(rate.plus(1))) : rest.times(rate))
    const base = taxIncluded ? rest.minus(amount) : rest
    return { gross, off, tax, rate, amount, base, total: taxIncluded ? rest : rest.plus(amount) }
  })

  const groups = Map.groupBy(counted, ({ tax, rate }) => `${tax.code} ${rate.toFixed()}`)
  const taxes = [...groups.values()].map((group): TaxTotal => {
    const { code, name, rate } = group[0]!.tax
    const base = sum(group.map((line) => line.base))
    return { code, name, rate, base, amount: sum(group.map((line) => line.amount)) }
  })
  return {
    lines: counted.map(({ off, amount, total }) => ({
      discount: written(off),
      tax: written(amount),
      line_total: written(total),
    })),
    totals: {
      subtotal: sum(counted.map(({ gross }) => gross)),
      discount_total: sum(counted.map(({ off }) => off)),
      tax_total: sum(counted.map(({ amount }) => amount)),
      shipping_total: written(new Exact(0)),
      total: sum(counted.map(({ total }) => total)),
      taxes,
      tax_included: taxIncluded,
    },
  }
}
