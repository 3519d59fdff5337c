import { Decimal } from 'decimal.js'
import type { QuotedLine } from '../../../src/ports/pricing.ts'
import { roundTogether, type TaxRounding } from './cart-taxes.ts'
import type { PromotionDiscount } from './promotion-rules.ts'

const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP })
const MAX_PRICE_DIGITS = 12

/** `net`: the amount without tax of a line whose price includes only some of its taxes. */
export type PromotedLine = QuotedLine & { quantity: string; net?: Decimal | undefined }

/** The discount of a promotion on a line. The order in Odoo has it as a percentage, or as a lower unit price. */
export interface LineDiscount {
  amount: Decimal
  percent?: string
  unitPrice?: string
  /** The number of free units. */
  units?: Decimal
}

/** Returns the discounts above 0 by line id. */
export function computeLineDiscounts(
  discount: PromotionDiscount,
  lines: readonly PromotedLine[],
  rounding: TaxRounding,
): Map<string, LineDiscount> {
  const discounts = toLineDiscounts(discount, lines, rounding)
  return new Map(lines.map(({ line_id }, i) => [line_id, discounts[i]!] as const).filter(([, one]) => one.amount.gt(0)))
}

function toLineDiscounts(
  discount: PromotionDiscount,
  lines: readonly PromotedLine[],
  rounding: TaxRounding,
): LineDiscount[] {
  if (discount.kind === 'percent') return takePercent(discount.percent, lines, rounding)
  if (discount.kind === 'units') return takeUnits(discount.units, lines, rounding)
  return takeAmount(discount, lines, rounding)
}

const priceOf = ({ unit_price, quantity }: PromotedLine) => new Exact(unit_price).times(quantity)

/** Discounts a percentage, rounded as Odoo does: the discounted price times the quantity. */
function takePercent(percent: Decimal, lines: readonly PromotedLine[], { isGlobal, digits }: TaxRounding) {
  const share = new Exact(100).minus(percent).div(100)
  const exact = lines.map((line) => priceOf(line).times(share))
  const net = isGlobal ? roundTogether(exact, digits) : exact.map((amount) => amount.toDecimalPlaces(digits))
  return lines.map((line, i) => ({
    amount: priceOf(line).toDecimalPlaces(digits).minus(net[i]!),
    percent: percent.toFixed(),
  }))
}

/** Discounts an amount as Odoo does: by the same percentage of each line, and by at most what the lines cost with tax. */
function takeAmount(
  { amount, percent }: PromotionDiscount & { kind: 'amount' },
  lines: readonly PromotedLine[],
  rounding: TaxRounding,
): LineDiscount[] {
  const { digits } = rounding
  const total = Exact.sum(0, ...lines.map((line) => costOf(line, digits)))
  if (total.lte(0)) return lines.map(() => ({ amount: total }))
  const limit = Exact.min(amount, total.times(percent).div(100))
  const share = new Exact(1).minus(Exact.min(1, limit.div(total)))
  const net = roundTogether(
    lines.map((line) => priceOf(line).times(share)),
    digits,
  )
  return lines.map((line, i) => toNet(line, net[i]!, rounding))
}

/** Makes units free, those of the first lines first. */
function takeUnits(units: Decimal, lines: readonly PromotedLine[], rounding: TaxRounding): LineDiscount[] {
  let left = units
  return lines.map((line) => {
    const free = Decimal.min(left, line.quantity)
    left = left.minus(free)
    const net = new Exact(line.quantity).minus(free).times(line.unit_price).toDecimalPlaces(rounding.digits)
    return { ...toNet(line, net, rounding), units: free }
  })
}

const toNet = (line: PromotedLine, net: Decimal, rounding: TaxRounding): LineDiscount => ({
  amount: priceOf(line).toDecimalPlaces(rounding.digits).minus(net),
  unitPrice: toUnitPrice(net, line.quantity, rounding),
})

/** Returns the price with the fewest decimals that results in the amount. */
function toUnitPrice(net: Decimal, quantity: string, { isGlobal, digits }: TaxRounding): string {
  const isExact = (price: Decimal) => {
    const amount = price.times(quantity)
    // If taxes are rounded per document, Odoo does not round the amounts of lines first.
    return (isGlobal ? amount.toDecimalPlaces(digits + 4) : amount.toDecimalPlaces(digits)).eq(net)
  }
  const exact = new Exact(net).div(quantity)
  for (let places = digits; places < MAX_PRICE_DIGITS; places += 1) {
    const price = exact.toDecimalPlaces(places)
    if (isExact(price)) return price.toFixed(places)
  }
  return exact.toFixed(MAX_PRICE_DIGITS)
}

/** Returns what a line costs with tax. */
export function costOf({ tax_included, tax, net, ...line }: PromotedLine, digits: number): Decimal {
  if (net !== undefined) return net.plus(tax?.amount ?? 0)
  const price = new Exact(line.unit_price).times(line.quantity).toDecimalPlaces(digits)
  return tax_included ? price : price.plus(taxOf({ ...line, tax_included, tax }, digits))
}

/** Returns the tax of a line whose `net` is not known. */
export function taxOf(line: Omit<PromotedLine, 'net'>, digits: number): Decimal {
  const { unit_price, quantity, tax, tax_included } = line
  if (tax?.amount !== undefined) return new Exact(tax.amount)
  const price = new Exact(unit_price).times(quantity).toDecimalPlaces(digits)
  const rate = new Exact(tax?.rate ?? 0)
  const exact = tax_included ? price.minus(price.div(rate.plus(1)).toDecimalPlaces(digits)) : price.times(rate)
  return exact.toDecimalPlaces(digits)
}
