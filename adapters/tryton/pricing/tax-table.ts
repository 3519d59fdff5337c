import { Decimal } from 'decimal.js'
import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { createCachedLoader } from '../client/shared-load.ts'
import { TrytonBoolean, TrytonDate, TrytonDecimal, TrytonId, toIsoDate } from '../client/tryton-values.ts'

const Dates = Type.Union([TrytonDate, Type.Null()])
const TaxRow = Type.Object({
  id: TrytonId,
  name: Type.String(),
  description: Type.String(),
  type: Type.String(),
  rate: Type.Union([TrytonDecimal, Type.Null()]),
  update_unit_price: Type.Union([TrytonBoolean, Type.Null()]),
  group: Type.Union([TrytonId, Type.Null()]),
  childs: Type.Array(TrytonId),
  start_date: Dates,
  end_date: Dates,
})
const TaxRows = responseSchema(Type.Array(TaxRow))
export type TaxRow = Static<typeof TaxRow>

export function createTaxTableReader(rpc: Rpc, now: () => number): (call: Call) => Promise<Map<number, TaxRow>> {
  const load = async (call: Call) => {
    const fields = Object.keys(TaxRow.properties)
    const params = [[['active', 'in', [true, false]]], 0, null, [['id', 'ASC']], fields]
    const rows = await rpc(TaxRows, 'account.tax.search_read', params, call)
    return new Map(rows.map((row) => [row.id, row]))
  }
  return createCachedLoader(load, { maxAgeMs: 60_000, now })
}

/** The taxes' rates and their children's, added up; `null` when that is not what they come to. */
export function combinedTaxRate(ids: readonly number[], taxes: Map<number, TaxRow>, today: string): string | null {
  const rates = ids.map((id) => rateOfOne(taxes.get(id), taxes, today))
  if (rates.some((rate) => rate === null)) return null
  return Decimal.sum(0, ...rates.map((rate) => rate!)).toFixed()
}

function rateOfOne(tax: TaxRow | undefined, taxes: Map<number, TaxRow>, today: string): string | null {
  if (tax === undefined || tax.type === 'fixed' || tax.update_unit_price) return null
  if (!isInForce(tax, today)) return '0'
  const below = combinedTaxRate(tax.childs, taxes, today)
  if (below === null) return null
  return tax.type === 'percentage' ? new Decimal(tax.rate?.decimal ?? 0).add(below).toFixed() : below
}

/** `today` in the merchant's zone. */
export function isInForce(dates: Pick<TaxRow, 'start_date' | 'end_date'>, today: string): boolean {
  const started = dates.start_date === null || toIsoDate(dates.start_date) <= today
  return started && (dates.end_date === null || today <= toIsoDate(dates.end_date))
}
