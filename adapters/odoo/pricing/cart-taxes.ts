import { Decimal } from 'decimal.js'
import type { CombinedTax } from './combined-tax.ts'
import { computeTaxes } from './tax-amounts.ts'

/** A line of a cart or an order. `price` is that of a unit, after a discount. */
export interface TaxedLine {
  price: Decimal
  quantity: Decimal.Value
  tax: CombinedTax
}

/** How a company rounds taxes, and to how many decimals. */
export interface TaxRounding {
  isGlobal: boolean
  digits: number
}

/** Returns the tax of each line, as Odoo rounds it: on each line, or over all lines of each tax. */
export function computeCartTaxes(lines: readonly TaxedLine[], { isGlobal, digits }: TaxRounding): Decimal[] {
  const round = (amount: Decimal) => amount.toDecimalPlaces(digits, Decimal.ROUND_HALF_UP)
  const computed = lines.map(({ price, quantity, tax }) =>
    computeTaxes(tax.terms, price, quantity, isGlobal ? (amount) => amount : round),
  )
  const parts = computed.flatMap(({ amounts }, line) =>
    amounts.map((amount, i) => ({ line, id: lines[line]!.tax.terms[i]!.id, amount })),
  )
  const taxes = lines.map(() => new Decimal(0))
  for (const group of Map.groupBy(parts, ({ id }) => id).values()) {
    const amounts = group.map(({ amount }) => amount)
    const rounded = isGlobal ? roundTogether(amounts, digits) : amounts
    for (const [i, { line }] of group.entries()) taxes[line] = taxes[line]!.plus(rounded[i]!)
  }
  return taxes
}

/**
 * Rounds amounts so that their sum is the rounded sum. As in Odoo, the difference goes to the amounts in proportion to their size, the
 * largest first.
 */
export function roundTogether(amounts: readonly Decimal[], digits: number): Decimal[] {
  const round = (amount: Decimal) => amount.toDecimalPlaces(digits, Decimal.ROUND_HALF_UP)
  const rounded = amounts.map(round)
  const sum = (values: readonly Decimal[]) => values.reduce((total, value) => total.plus(value), new Decimal(0))
  const difference = round(sum(amounts)).minus(sum(rounded))
  if (difference.isZero()) return rounded
  const unit = new Decimal(10).pow(-digits).times(difference.isNegative() ? -1 : 1)
  const count = difference.div(unit).toNumber()
  const size = sum(amounts.map((amount) => amount.abs()))
  const order = amounts.map((_, i) => i).sort((a, b) => amounts[b]!.abs().cmp(amounts[a]!.abs()))
  const shares = order.map((i) => {
    const share = size.isZero() ? new Decimal(1).div(amounts.length) : amounts[i]!.abs().div(size)
    return share.times(count).toDecimalPlaces(0, Decimal.ROUND_HALF_EVEN).toNumber()
  })
  let left = count
  const give = (place: number, units: number) => {
    const i = order[place]!
    rounded[i] = rounded[i]!.plus(unit.times(units))
    left -= units
  }
  for (const [place, share] of shares.entries()) give(place, Math.min(share, left))
  for (let place = 0; left > 0; place += 1) give(place, 1)
  return rounded
}
