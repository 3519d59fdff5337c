import { Decimal } from 'decimal.js'
import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import { toSlug } from '../../to-slug.ts'
import type { Rpc } from '../client/rpc.ts'
import { nullable, TrytonBoolean, TrytonDate, TrytonDecimal, TrytonId, toIsoDate } from '../client/tryton-values.ts'

export const OptionalDate = nullable(TrytonDate)
const TaxRow = Type.Object({
  id: TrytonId,
  name: Type.String(),
  description: Type.String(),
  type: Type.String(),
  rate: nullable(TrytonDecimal),
  update_unit_price: nullable(TrytonBoolean),
  group: nullable(TrytonId),
  childs: Type.Array(TrytonId),
  start_date: OptionalDate,
  end_date: OptionalDate,
})
const TaxRows = responseSchema(Type.Array(TaxRow))
export type TaxRow = Static<typeof TaxRow>

export function createTaxTableReader(rpc: Rpc, nowMs: () => number): (call: Call) => Promise<Map<number, TaxRow>> {
  const load = async (call: Call) => {
    const fields = Object.keys(TaxRow.properties)
    const params = [[['active', 'in', [true, false]]], 0, null, [['id', 'ASC']], fields]
    const rows = await rpc(TaxRows, 'account.tax.search_read', params, call)
    return new Map(rows.map((row) => [row.id, row]))
  }
  return createCachedTableLoader(load, { maxAgeMs: 60_000, now: nowMs })
}

/** Returns the code and name of taxes together. */
export function toTaxLabel(ids: readonly number[], taxes: Map<number, TaxRow>): { code: string; name: string } {
  const roots = ids.map((id) => taxes.get(id)).filter((tax) => tax !== undefined)
  if (roots.length === 0) return { code: 'NONE', name: 'No tax' }
  const code = roots.map((tax) => toSlug(tax.name).toUpperCase()).join('+')
  return { code, name: roots.map((tax) => tax.description || tax.name).join(', ') }
}

/** Returns the sum of the rates of taxes and their children; `null` when they do not simply add up. */
export function combinedTaxRate(ids: readonly number[], taxes: Map<number, TaxRow>, today: string): string | null {
  const rates = ids.map((id) => taxRate(taxes.get(id), taxes, today))
  if (rates.some((rate) => rate === null)) return null
  return Decimal.sum(0, ...rates.map((rate) => rate!)).toFixed()
}

function taxRate(tax: TaxRow | undefined, taxes: Map<number, TaxRow>, today: string): string | null {
  if (tax === undefined || tax.type === 'fixed' || tax.update_unit_price) return null
  if (!isInForce(tax, today)) return '0'
  const childRate = combinedTaxRate(tax.childs, taxes, today)
  if (childRate === null) return null
  return tax.type === 'percentage' ? new Decimal(tax.rate?.decimal ?? 0).add(childRate).toFixed() : childRate
}

/** Returns true when dates include today, which is a date in the time zone of the merchant. */
export function isInForce(dates: Pick<TaxRow, 'start_date' | 'end_date'>, today: string): boolean {
  const hasStarted = dates.start_date === null || toIsoDate(dates.start_date) <= today
  return hasStarted && (dates.end_date === null || today <= toIsoDate(dates.end_date))
}
