import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { TrytonId } from '../client/tryton-values.ts'

const UnitOfMeasure = Type.Object({
  id: TrytonId,
  category: TrytonId,
  factor: Type.Number(),
  rate: Type.Number(),
  rounding: Type.Number(),
})
const Units = responseSchema(Type.Array(UnitOfMeasure))
export type UnitOfMeasure = Static<typeof UnitOfMeasure>
const FIELDS = Object.keys(UnitOfMeasure.properties).filter((name) => name !== 'id')

export async function readUnitsOfMeasure(
  rpc: Rpc,
  ids: readonly number[],
  call: Call,
): Promise<Map<number, UnitOfMeasure>> {
  if (ids.length === 0) return new Map()
  const rows = await rpc(Units, 'product.uom.read', [[...new Set(ids)], FIELDS], call)
  return new Map(rows.map((unit) => [unit.id, unit]))
}

/** A quantity in another unit of the same category: with floating point, as Tryton counts it. */
export function convertQuantity(quantity: number, from: UnitOfMeasure, to: UnitOfMeasure): number {
  if (quantity === 0) return quantity
  const base = isByFactor(from) ? quantity * from.factor : quantity / from.rate
  return rounded(isByFactor(to) ? base / to.factor : base * to.rate, to.rounding)
}

/** Of factor and rate, 1 ÷ each other, the one with fewer decimals is exact. */
function isByFactor({ factor, rate }: UnitOfMeasure): boolean {
  const [ofRate, ofFactor] = [decimals(rate), decimals(factor)]
  return ofRate === ofFactor ? factor >= 1 : ofFactor < ofRate
}

const decimals = (value: number) => value.toFixed(12).split('.')[1]!.replace(/0+$/, '').length

function rounded(quantity: number, rounding: number): number {
  if (quantity === 0) return quantity
  const scale = rounding < 1 ? 10 ** -Math.floor(Math.log10(rounding)) : 1
  const step = rounding * scale
  return (halfEven((quantity * scale) / step) * step) / scale
}

/** As Python's round. */
function halfEven(value: number): number {
  const below = Math.floor(value)
  const rest = value - below
  if (rest !== 0.5) return Math.round(value)
  return below % 2 === 0 ? below : below + 1
}
