import { Decimal } from 'decimal.js'
import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { OrderLine } from '../../../src/ports/order.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { nullable } from '../client/tryton-values.ts'

const Exact = Decimal.clone({ precision: 60 })
const Configurations = responseSchema(Type.Array(Type.Object({ tax_rounding: nullable(Type.String()) })))

export type TaxedLine = Pick<OrderLine, 'quantity' | 'unit_price'> & { tax: Pick<OrderLine['tax'], 'code' | 'rate'> }

export interface SaleTotals {
  untaxed: string
  tax: string
}

/**
 * Computes totals as Tryton does, by line and by document: it rounds halves to even digits, and rounds the tax per line
 * or per document by configuration.
 */
export function computeSaleTotals(lines: readonly TaxedLine[], digits: number): SaleTotals[] {
  const round = (value: Decimal) => value.toDecimalPlaces(digits, Decimal.ROUND_HALF_EVEN)
  const computed = lines.map(({ quantity, unit_price, tax }) => {
    const exact = new Exact(unit_price).times(quantity)
    return { untaxed: round(exact), tax: exact.times(tax.rate), of: `${tax.code} ${tax.rate}` }
  })
  const untaxed = sum(computed.map((line) => line.untaxed)).toFixed(digits)
  const groups = [...Map.groupBy(computed, ({ of: taxKey }) => taxKey).values()].map((group) =>
    group.map(({ tax }) => tax),
  )
  const byDocument = sum(groups.map((taxes) => round(sum(taxes))))
  // As in Tryton: each line is added to the rounded subtotal.
  const byLine = sum(groups.map((taxes) => taxes.reduce((subtotal, tax) => round(subtotal.plus(tax)), new Exact(0))))
  return [byLine, byDocument].map((tax) => ({ untaxed, tax: tax.toFixed(digits) }))
}

/** Reads whether Tryton rounds the tax per line or per document. */
export async function readTaxRounding(rpc: Rpc, call: Call): Promise<string> {
  const [configuration] = await rpc(Configurations, 'account.configuration.read', [[1], ['tax_rounding']], call)
  return configuration?.tax_rounding ?? 'document'
}

const sum = (values: readonly Decimal[]) => values.reduce((total, value) => total.plus(value), new Exact(0))
