import { Decimal } from 'decimal.js'
import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { OrderDraft, OrderLine } from '../../../src/ports/order.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { nullable } from '../client/tryton-values.ts'

const Exact = Decimal.clone({ precision: 60 })
const Books = responseSchema(Type.Array(Type.Object({ tax_rounding: nullable(Type.String()) })))

type Counting = Pick<OrderLine, 'quantity' | 'unit_price'> & { tax: Pick<OrderLine['tax'], 'code' | 'rate'> }

export interface SaleTotals {
  untaxed: string
  tax: string
}

/**
 * What Tryton makes of lines. It rounds halves to even digits, where a cart rounds them up, and the tax of each line or of the whole
 * document, as it is configured: both are counted, and either may be what it has.
 */
export function computeSaleTotals(lines: readonly Counting[], digits: number): SaleTotals[] {
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
export function hasConsistentTotals({ lines, totals }: OrderDraft, digits: number): boolean {
  const round = (value: Decimal) => value.toDecimalPlaces(digits, Decimal.ROUND_HALF_UP)
  const gross = lines.map(({ quantity, unit_price }) => round(new Exact(unit_price).times(quantity)))
  const off = lines.map(({ discount }) => new Exact(discount))
  const net = gross.map((amount, i) => amount.minus(off[i]!))
  const taxes = lines.map(({ tax }, i) => round(net[i]!.times(tax.rate)))
  const tax = sum(taxes)
  return (
    !totals.tax_included &&
    new Decimal(totals.shipping_total).isZero() &&
    off.every((amount, i) => amount.gte(0) && amount.lte(gross[i]!)) &&
    sum(gross).eq(totals.subtotal) &&
    sum(off).eq(totals.discount_total) &&
    tax.eq(totals.tax_total) &&
    sum(net).plus(tax).eq(totals.total) &&
    lines.every(({ line_total }, i) => net[i]!.plus(taxes[i]!).eq(line_total))
  )
}

/** Whether Tryton rounds the tax of each line, or of the whole document. */
export async function readTaxRounding(rpc: Rpc, call: Call): Promise<string> {
  const [books] = await rpc(Books, 'account.configuration.read', [[1], ['tax_rounding']], call)
  return books?.tax_rounding ?? 'document'
}

const sum = (values: readonly Decimal[]) => values.reduce((total, value) => total.plus(value), new Exact(0))
