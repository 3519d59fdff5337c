import { Decimal } from 'decimal.js'
import type { QuotedLine } from '../../../src/ports/pricing.ts'
import { computeCartTaxes, type TaxedLine, type TaxRounding } from './cart-taxes.ts'
import { type CombinedTax, isWithoutTax } from './combined-tax.ts'
import type { PricedProduct } from './priced-product.ts'
import { computeTaxes } from './tax-amounts.ts'

/** The decimals of a unit price. */
const UNIT_DIGITS = 6

/** A line of a quote with what it costs in Odoo. */
export interface MixedLine {
  line: QuotedLine
  quantity: string
  /** After the discount. */
  taxed: TaxedLine
}

/** Returns whether the prices of some goods in a cart include tax and those of others do not. Goods without any tax do not matter. */
export function isMixedCart(taxes: readonly CombinedTax[]): boolean {
  const taxedGoods = taxes.filter((tax) => !isWithoutTax(tax))
  return taxedGoods.some(({ isMixed, isIncluded }) => isMixed || isIncluded !== taxedGoods[0]!.isIncluded)
}

/** Returns a price without the taxes that it includes. */
export const toPriceWithoutTax = (price: Decimal.Value, { terms }: CombinedTax): Decimal =>
  computeTaxes(terms, new Decimal(price), 1, unrounded).net.toDecimalPlaces(UNIT_DIGITS, Decimal.ROUND_HALF_UP)

/** Returns a product whose prices include none of its taxes, if they include only some of them. Other products stay as they are. */
export function withoutMixedTax(product: PricedProduct, digits: number): PricedProduct {
  const { tax, listPrice, priceAt } = product
  if (!tax?.isMixed) return product
  const convert = (amount: string) =>
    toPriceWithoutTax(amount, tax).toDecimalPlaces(digits, Decimal.ROUND_HALF_UP).toFixed(digits)
  return {
    ...product,
    listPrice: listPrice && convert(listPrice),
    priceAt(quantity) {
      const price = priceAt(quantity)
      return price && { ...price, amount: convert(price.amount) }
    },
  }
}

/**
 * Converts the lines of a mixed cart to prices without tax, because all prices of a cart must be of one kind. Amounts without tax, taxes and
 * totals are those of Odoo. A line that has no such price is left out.
 */
export function toLinesWithoutTax(lines: readonly MixedLine[], rounding: TaxRounding): QuotedLine[] {
  const round = (amount: Decimal) => amount.toDecimalPlaces(rounding.digits, Decimal.ROUND_HALF_UP)
  const netOf = (price: Decimal, quantity: string, { terms }: CombinedTax) =>
    computeTaxes(terms, price, quantity, rounding.isGlobal ? unrounded : round).net
  const taxes = computeCartTaxes(
    lines.map(({ taxed }) => taxed),
    rounding,
  )
  const exact = lines.map(({ taxed, quantity }) => netOf(taxed.price, quantity, taxed.tax))
  const amounts = lines.map(({ line, quantity, taxed: { tax } }, i) => {
    const gross = new Decimal(line.unit_price).times(quantity)
    if (!includesTax(tax)) return { gross: round(gross), net: round(gross).minus(line.discount) }
    return { gross: round(netOf(new Decimal(line.unit_price), quantity, tax)), net: round(exact[i]!) }
  })
  addRoundingDifference(lines, amounts, round(Decimal.sum(0, ...exact)))
  return lines.flatMap(({ line, quantity, taxed: { tax } }, i) => {
    const { gross, net } = amounts[i]!
    const withTax = { ...line, tax_included: false, tax: { ...line.tax!, amount: taxes[i]!.toFixed(rounding.digits) } }
    if (!includesTax(tax)) return [withTax]
    const price = gross.div(quantity).toDecimalPlaces(UNIT_DIGITS, Decimal.ROUND_HALF_UP)
    if (!round(price.times(quantity)).eq(gross) || net.isNegative() || net.gt(gross)) return []
    const format = (amount: Decimal) => amount.toFixed(Math.max(rounding.digits, amount.decimalPlaces()))
    const listPrice =
      line.list_unit_price === line.unit_price ? price : toPriceWithoutTax(line.list_unit_price ?? line.unit_price, tax)
    return [
      {
        ...withTax,
        unit_price: format(price),
        list_unit_price: format(listPrice),
        discount: format(gross.minus(net)),
      },
    ]
  })
}

export const includesTax = ({ terms }: CombinedTax) => terms.some(({ isIncluded }) => isIncluded)

const unrounded = (amount: Decimal) => amount

/** If Odoo rounds per document, it rounds the sum of the amounts without tax. The largest converted line gets the difference. */
function addRoundingDifference(
  lines: readonly MixedLine[],
  amounts: { gross: Decimal; net: Decimal }[],
  total: Decimal,
): void {
  const difference = total.minus(Decimal.sum(0, ...amounts.map(({ net }) => net)))
  const converted = amounts.filter((_, i) => includesTax(lines[i]!.taxed.tax))
  const [largest] = converted.sort((a, b) => b.net.cmp(a.net))
  if (!largest) return
  largest.gross = largest.gross.plus(difference)
  largest.net = largest.net.plus(difference)
}
