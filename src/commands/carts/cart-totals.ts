import { Decimal } from 'decimal.js'
import { UpstreamError } from '../../errors.ts'
import type { DeliveryOption } from '../../ports/delivery.ts'
import type { OrderTotals, TaxTotal } from '../../ports/order.ts'
import type { Amount, LineTax } from '../../ports/pricing.ts'
import type { PortName } from '../../ports/system.ts'

/** Precise enough to multiply a unit price and a quantity exactly, so that each amount is rounded once. */
const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP })

/** A cart line with its price and tax. `discount` is for the whole line. */
export interface TotalsLine {
  unit_price: Amount
  quantity: string
  discount: Amount
  tax: LineTax
}

export interface CartTotals {
  /** One entry for each line, in order. */
  lines: { discount: Amount; tax: Amount; line_total: Amount }[]
  totals: OrderTotals
}

/**
 * Computes the totals of cart lines. Each line is rounded half up to the currency's digits, and each total is the sum of the rounded lines.
 * Throws UpstreamError for an impossible discount, price or tax rate.
 */
export function computeCartTotals(lines: readonly TotalsLine[], taxIncluded: boolean, digits: number): CartTotals {
  const format = (value: Decimal) => value.toFixed(digits)
  const sum = (values: readonly Decimal[]) => format(values.reduce((total, value) => total.plus(value), new Exact(0)))
  const computed = lines.map((line) => computeLine(line, taxIncluded, digits))
  return {
    lines: computed.map(({ discount, taxAmount, total }) => ({
      discount: format(discount),
      tax: format(taxAmount),
      line_total: format(total),
    })),
    totals: {
      subtotal: sum(computed.map(({ gross }) => gross)),
      discount_total: sum(computed.map(({ discount }) => discount)),
      tax_total: sum(computed.map(({ taxAmount }) => taxAmount)),
      shipping_total: format(new Exact(0)),
      total: sum(computed.map(({ total }) => total)),
      taxes: groupTaxes(computed, sum),
      tax_included: taxIncluded,
    },
  }
}

/**
 * Adds the price of a delivery, and its tax, to the totals of a cart. It is not in the subtotal. A delivery that costs nothing changes no
 * amount. Throws UpstreamError for an impossible price or tax rate.
 */
export function addShipping(
  totals: OrderTotals,
  { price, tax }: Pick<DeliveryOption, 'price' | 'tax'>,
  digits: number,
): OrderTotals {
  const line = { unit_price: price, quantity: '1', discount: '0', tax }
  const shipping = computeLine(line, totals.tax_included, digits, 'accounting')
  if (shipping.gross.isZero()) return totals
  const add = (amount: Amount, value: Decimal) => new Exact(amount).plus(value).toFixed(digits)
  const { code, name } = tax
  const isSameTax = (one: TaxTotal) => one.code === code && shipping.rate.eq(one.rate)
  const taxes = totals.taxes.some(isSameTax)
    ? totals.taxes
    : [...totals.taxes, { code, name, rate: tax.rate, base: '0', amount: '0' }]
  return {
    ...totals,
    tax_total: add(totals.tax_total, shipping.taxAmount),
    shipping_total: add('0', shipping.gross),
    total: add(totals.total, shipping.total),
    taxes: taxes.map((one) =>
      isSameTax(one)
        ? { ...one, base: add(one.base, shipping.base), amount: add(one.amount, shipping.taxAmount) }
        : one,
    ),
  }
}

function computeLine(
  { unit_price, quantity, discount: text, tax }: TotalsLine,
  taxIncluded: boolean,
  digits: number,
  system: PortName = 'pricing',
) {
  const round = (value: Decimal) => value.toDecimalPlaces(digits)
  const gross = round(new Exact(unit_price).times(quantity))
  const discount = new Exact(text)
  if (gross.lt(0) || discount.lt(0) || discount.gt(gross) || discount.decimalPlaces() > digits)
    throw new UpstreamError('invalid', `a discount of ${text} on a line of ${gross}`, { system })
  const net = gross.minus(discount)
  const rate = new Exact(tax.rate)
  if (rate.lt(0)) throw new UpstreamError('invalid', `a tax rate of ${tax.rate}`, { system: 'accounting' })
  const taxAmount =
    tax.amount === undefined
      ? round(taxIncluded ? net.minus(net.div(rate.plus(1))) : net.times(rate))
      : new Exact(tax.amount)
  // An included tax per unit may be larger than the price after a discount. The base is then below zero.
  if (taxAmount.lt(0) || taxAmount.decimalPlaces() > digits)
    throw new UpstreamError('invalid', `a tax of ${tax.amount} on a line of ${net}`, { system })
  const base = taxIncluded ? net.minus(taxAmount) : net
  return { gross, discount, tax, rate, taxAmount, base, total: taxIncluded ? net : net.plus(taxAmount) }
}

function groupTaxes(
  lines: readonly ReturnType<typeof computeLine>[],
  sum: (values: readonly Decimal[]) => string,
): TaxTotal[] {
  const groups = Map.groupBy(lines, ({ tax, rate }) => `${tax.code} ${rate.toFixed()}`)
  return [...groups.values()].map((group) => {
    const { code, name, rate } = group[0]!.tax
    const base = sum(group.map((line) => line.base))
    return { code, name, rate, base, amount: sum(group.map(({ taxAmount }) => taxAmount)) }
  })
}
