import { Decimal } from 'decimal.js'
import type { OrderDraft, OrderLine } from '../../src/ports/order.ts'

const Exact = Decimal.clone({ precision: 60 })

export interface TrytonTotals {
  untaxed: string
  tax: string
}

/**
 * What Tryton makes of lines. It rounds halves to even digits, where a cart rounds them up, and the tax of each line or of the whole
 * document, as it is configured: both are counted, and either may be what it has.
 */
export function trytonTotals(lines: readonly OrderLine[], digits: number): TrytonTotals[] {
  const round = (value: Decimal) => value.toDecimalPlaces(digits, Decimal.ROUND_HALF_EVEN)
  const counted = lines.map(({ quantity, unit_price, tax }) => {
    const exact = new Exact(unit_price).times(quantity)
    return { untaxed: round(exact), tax: exact.times(tax.rate), of: `${tax.code} ${tax.rate}` }
  })
  const untaxed = sum(counted.map((line) => line.untaxed)).toFixed(digits)
  const groups = [...Map.groupBy(counted, ({ of }) => of).values()].map((group) => group.map(({ tax }) => tax))
  const byDocument = sum(groups.map((taxes) => round(sum(taxes))))
  // As Tryton does it: each line is added to what was rounded before.
  const byLine = sum(groups.map((taxes) => taxes.reduce((so_far, tax) => round(so_far.plus(tax)), new Exact(0))))
  return [byLine, byDocument].map((tax) => ({ untaxed, tax: tax.toFixed(digits) }))
}

/** Whether a draft's totals follow from its lines as a cart counts them: each line rounded half up, and all sums of lines. */
export function isCounted({ lines, totals }: OrderDraft, digits: number): boolean {
  const round = (value: Decimal) => value.toDecimalPlaces(digits, Decimal.ROUND_HALF_UP)
  const net = lines.map(({ quantity, unit_price }) => round(new Exact(unit_price).times(quantity)))
  const taxes = lines.map(({ tax }, i) => round(net[i]!.times(tax.rate)))
  const subtotal = sum(net)
  const tax = sum(taxes)
  const none = [totals.discount_total, totals.shipping_total, ...lines.map(({ discount }) => discount)]
  return (
    !totals.tax_included &&
    none.every((amount) => new Decimal(amount).isZero()) &&
    subtotal.eq(totals.subtotal) &&
    tax.eq(totals.tax_total) &&
    subtotal.plus(tax).eq(totals.total) &&
    lines.every(({ line_total }, i) => net[i]!.plus(taxes[i]!).eq(line_total))
  )
}

const sum = (values: readonly Decimal[]) => values.reduce((total, value) => total.plus(value), new Exact(0))
